package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing in a URL, a name server's answer or a response leads into our own network. */
class SsrfTest {

    // Each may lead home, to the trap on 127.0.0.1, if somebody reads it in an unusual way.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/",
                "http://127.0.0.1:PORT",
                "HTTP://127.0.0.1:PORT/",
                "http://127.1:PORT/",
                "http://127.0.1:PORT/",
                "http://2130706433:PORT/",
                "http://017700000001:PORT/",
                "http://0x7f000001:PORT/",
                "http://0x7F000001:PORT/",
                "http://0x7f.0.0.1:PORT/",
                "http://0x7f.1:PORT/",
                "http://0177.0.0.1:PORT/",
                "http://0177.0.0.01:PORT/",
                "http://127.0.0.01:PORT/",
                "http://127.00.0.1:PORT/",
                "http://127.0.0.1.:PORT/",
                "http://127.0.0.1..:PORT/",
                "http://.127.0.0.1:PORT/",
                "http://127.0.0.1.0x0:PORT/",
                "http://127.0.0.256:PORT/",
                "http://0:PORT/",
                "http://0.0.0.0:PORT/",
                "http://0x0:PORT/",
                "http://localhost:PORT/",
                "http://LOCALHOST:PORT/",
                "http://LocalHost:PORT/",
                "http://localhost.:PORT/",
                "http://localhost.localdomain:PORT/",
                "http://127.0.0.1.nip.io:PORT/",
                "http://rebind.example.com:PORT/",
                "http://xn--lcalhost-65a:PORT/",
                "http://l\u043ecalhost:PORT/",
                "http://\u2460\u2461\u2466.0.0.1:PORT/",
                "http://127\u30020.0.1:PORT/",
                "http://127.0.0.1%00.example.com:PORT/",
                "http://127.0.0.1%2eexample.com:PORT/",
                "http://%31%32%37.0.0.1:PORT/",
                "http://example.com@127.0.0.1:PORT/",
                "http://example.com:80@127.0.0.1:PORT/",
                "http://example.com%40127.0.0.1:PORT/",
                "http://@127.0.0.1:PORT/",
                "http://127.0.0.1:PORT@example.com/",
                "http://example.com\\@127.0.0.1:PORT/",
                "http://127.0.0.1:PORT\\@example.com/",
                "http://example.com#@127.0.0.1:PORT/",
                "http://example.com?@127.0.0.1:PORT\\x",
                "http:\\\\127.0.0.1:PORT/",
                "http:127.0.0.1:PORT/",
                "http:/127.0.0.1:PORT/",
                "http:////127.0.0.1:PORT/",
                "//127.0.0.1:PORT/",
                "http://127.0.0.1 :PORT/",
                "http://127.0.0.1\t:PORT/",
                "http://127.0.0.1:\nPORT/",
                "http://[::1]:PORT/",
                "http://[0:0:0:0:0:0:0:1]:PORT/",
                "http://[::]:PORT/",
                "http://[::ffff:127.0.0.1]:PORT/",
                "http://[::ffff:7f00:1]:PORT/",
                "http://[::FFFF:7F00:0001]:PORT/",
                "http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
                "http://[::127.0.0.1]:PORT/",
                "http://[64:ff9b::127.0.0.1]:PORT/",
                "http://[64:ff9b::7f00:1]:PORT/",
                "http://[2002:7f00:1::]:PORT/",
                "http://[2001:0:0:0:0:0:80ff:fffe]:PORT/",
                "http://[fe80::1%lo]:PORT/",
                "http://[fe80::1%25lo]:PORT/",
                "http://[::1%25lo]:PORT/",
                "http://[::1%1]:PORT/",
                "http://[127.0.0.1]:PORT/",
                "http://[localhost]:PORT/",
                "http://[::1].example.com:PORT/",
                "http://::1:PORT/",
                "jar:http://127.0.0.1:PORT/!/",
                "file:///dev/tcp/127.0.0.1/PORT",
            })
    void noFormOfAUrlLeadsHome(String form) throws IOException {
        try (Receiver trap = Receiver.responding(200)) {
            String url = form.replace("PORT", Integer.toString(trap.port()));
            HttpPublisher publisher;
            try {
                HttpPublisherBuilder builder =
                        HttpPublisher.builder(url).allowPlaintext(true).allowPort(trap.port());
                builder.resolver = SsrfTest::alwaysHome;
                publisher = builder.build();
            } catch (IllegalArgumentException refused) {
                return;
            }

            PublishResult result = Answers.answer(publisher, Answers.message());

            publisher.close();
            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).contains("address not allowed");
            assertThat(trap.connections()).isZero();
        }
    }

    private static List<InetAddress> alwaysHome(String host) {
        return List.of(InetAddress.getLoopbackAddress());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://[::1]/",
                "http://169.254.169.254/latest/meta-data/",
                "http://0.0.0.0/"
            })
    void anAddressThatIsNotAllowedIsRefusedAtOnce(String url) {
        HttpPublisherBuilder builder = HttpPublisher.builder(url).allowPlaintext(true);

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("not allowed");
    }

    @Test
    void theAddressThatWasCheckedIsTheOneThatIsUsed() throws IOException {
        try (Receiver outside = Receiver.on("127.0.0.2", 0, (request, connection) -> {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    connection.socket().close();
                });
                Receiver home =
                        Receiver.on("127.0.0.1", outside.port(), (request, connection) -> connection.respond(200))) {
            AtomicInteger resolutions = new AtomicInteger();
            HttpPublisherBuilder builder = HttpPublisher.builder("http://hooks.example.com:%d/".formatted(home.port()))
                    .allowPlaintext(true)
                    .allowPort(home.port())
                    .allowAddresses("127.0.0.2");
            builder.resolver =
                    host -> List.of(IpNet.literal(resolutions.getAndIncrement() == 0 ? "127.0.0.2" : "127.0.0.1")
                            .orElseThrow());
            try (HttpPublisher publisher = builder.build()) {
                PublishResult first = Answers.answer(publisher, Answers.message());
                int resolutionsOfTheFirst = resolutions.get();
                PublishResult second = Answers.answer(publisher, Answers.message());

                assertThat(first).isEqualTo(PublishResult.acked());
                assertThat(resolutionsOfTheFirst).isEqualTo(1);
                assertThat(outside.requests())
                        .singleElement()
                        .satisfies(request ->
                                assertThat(request.header("host")).isEqualTo("hooks.example.com:" + home.port()));
                assertThat(second.kind()).isEqualTo(Kind.UNAVAILABLE);
                assertThat(second.error()).contains("address not allowed: 127.0.0.1 (loopback)");
                assertThat(resolutions).hasValue(2);
                assertThat(home.connections()).isZero();
            }
        }
    }

    @Test
    void theNameIsAskedForOncePerConnectionAndNotPerMessage() throws IOException {
        try (Receiver receiver = Receiver.responding(200)) {
            AtomicInteger resolutions = new AtomicInteger();
            HttpPublisherBuilder builder =
                    named(receiver).allowHost("hooks.example.com").maxConcurrent(1);
            builder.resolver = host -> {
                resolutions.incrementAndGet();
                return alwaysHome(host);
            };
            try (HttpPublisher publisher = builder.build()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
                }

                assertThat(receiver.connections()).isEqualTo(1);
                assertThat(resolutions).hasValue(1);
            }
        }
    }

    @Test
    void ofSeveralAddressesOnlyTheAllowedAreTried() throws IOException {
        try (Receiver outside = Receiver.on("127.0.0.2", 0, (request, connection) -> connection.respond(200));
                Receiver home =
                        Receiver.on("127.0.0.1", outside.port(), (request, connection) -> connection.respond(200))) {
            HttpPublisherBuilder builder = named(home).allowAddresses("127.0.0.2");
            builder.resolver = host -> List.of(
                    InetAddress.getLoopbackAddress(), IpNet.literal("127.0.0.2").orElseThrow());
            try (HttpPublisher publisher = builder.build()) {
                assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
            }

            assertThat(outside.requests()).hasSize(1);
            assertThat(home.connections()).isZero();
        }
    }

    @Test
    void aRedirectIsNotFollowed() throws IOException {
        try (Receiver trap = Receiver.responding(200);
                Receiver receiver = Receiver.that((request, connection) -> connection.respond(
                        302,
                        "Location: "
                                + (request.headers().containsKey("trap") ? trap.url() : "http://169.254.169.254/")));
                HttpPublisher publisher = receiver.publisher().build();
                HttpPublisher trapped = receiver.publisher().header("trap", "1").build()) {
            PublishResult metadata = Answers.answer(publisher, Answers.message());
            PublishResult toTrap = Answers.answer(trapped, Answers.message());

            assertThat(metadata.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(metadata.error()).contains("HTTP 302").contains("not followed");
            assertThat(toTrap.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(trap.connections()).isZero();
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    @Test
    void aNameThatDoesNotResolveIsUnavailable() {
        HttpPublisherBuilder builder = HttpPublisher.builder("https://hooks.example.com/");
        builder.resolver = host -> {
            throw new UnknownHostException(host);
        };
        try (HttpPublisher publisher = builder.build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).contains("does not resolve");
        }
    }

    @Test
    void noProxyIsTakenFromTheSystemProperties() throws IOException {
        Map<String, String> proxy = Map.of(
                "http.proxyHost", "127.0.0.1",
                "http.proxyPort", "1",
                "http.nonProxyHosts", "",
                "socksProxyHost", "127.0.0.1",
                "socksProxyPort", "1",
                "socksNonProxyHosts", "",
                "java.net.useSystemProxies", "true");
        proxy.forEach(System::setProperty);
        try (Receiver receiver = Receiver.responding(200);
                HttpPublisher publisher = receiver.publisher().build()) {
            assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
        } finally {
            proxy.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void anIpv6AddressIsWrittenInBracketsInTheHostHeader() throws IOException {
        assumeTrue(hasIpv6(), "This machine has no IPv6");
        try (Receiver receiver = Receiver.on("::1", 0, (request, connection) -> connection.respond(200));
                HttpPublisher publisher = HttpPublisher.builder("http://[::1]:%d/".formatted(receiver.port()))
                        .allowPlaintext(true)
                        .allowPort(receiver.port())
                        .allowHost("::1")
                        .build()) {
            assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
            assertThat(receiver.requests().get(0).header("host")).isEqualTo("[::1]:" + receiver.port());
        }
    }

    private static boolean hasIpv6() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
    }

    private static HttpPublisherBuilder named(Receiver receiver) {
        return HttpPublisher.builder("http://hooks.example.com:%d/".formatted(receiver.port()))
                .allowPlaintext(true)
                .allowPort(receiver.port());
    }
}
