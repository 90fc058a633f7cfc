package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection to a checked address is still a connection to the name, and to nobody else. */
class TlsTest {

    private static final String HOST = "hooks.example.com";

    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws IOException, InterruptedException {
        certificates = new Certificates(folder);
        certificates.sign("right", HOST);
        certificates.sign("wrong-host", "other.example.com");
        certificates.sign("expired", HOST, "-startdate", "-3d", "-validity", "1");
        certificates.selfSign("self-signed", HOST);
    }

    @Test
    void theNameIsKeptThoughTheAddressIsPinned() throws Exception {
        try (Receiver receiver = receiver("right");
                HttpPublisher publisher = publisher(receiver, certificates.client())) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result).isEqualTo(PublishResult.acked());
            assertThat(receiver.serverNames()).containsExactly(HOST);
            assertThat(receiver.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.header("host")).isEqualTo(HOST + ":" + receiver.port()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong-host", "expired", "self-signed"})
    void aCertificateThatIsNotRightIsRefused(String certificate) throws Exception {
        try (Receiver receiver = receiver(certificate);
                HttpPublisher publisher = publisher(receiver, certificates.client())) {
            assertRefused(receiver, publisher);
        }
    }

    @Test
    void anAuthorityTheJvmDoesNotKnowIsRefusedByDefault() throws Exception {
        try (Receiver receiver = receiver("right");
                HttpPublisher publisher = publisher(receiver, SSLContext.getDefault())) {
            assertRefused(receiver, publisher);
        }
    }

    @Test
    void aReceiverWithoutTlsGetsNothingInPlaintext() throws Exception {
        try (Receiver receiver = Receiver.responding(200);
                HttpPublisher publisher = publisher(receiver, certificates.client())) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(receiver.requests()).isEmpty();
        }
    }

    private static void assertRefused(Receiver receiver, HttpPublisher publisher) {
        PublishResult result = Answers.answer(publisher, Answers.message());

        assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(result.error()).contains("TLS refused");
        assertThat(receiver.requests()).isEmpty();
    }

    private static Receiver receiver(String certificate) throws IOException, GeneralSecurityException {
        return Receiver.on(
                "127.0.0.1",
                0,
                certificates.server(certificate).getServerSocketFactory(),
                (request, connection) -> connection.respond(200));
    }

    private static HttpPublisher publisher(Receiver receiver, SSLContext trust) {
        HttpPublisherBuilder builder = HttpPublisher.builder("https://%s:%d/".formatted(HOST, receiver.port()))
                .allowPort(receiver.port())
                .allowHost(HOST)
                .sslContext(trust);
        builder.resolver = host -> List.of(InetAddress.getLoopbackAddress());
        return builder.build();
    }
}
