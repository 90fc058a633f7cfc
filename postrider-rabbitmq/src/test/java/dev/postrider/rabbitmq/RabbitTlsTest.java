package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the publisher speaks to over TLS. The server here only listens for the first words of AMQP. */
final class RabbitTlsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String HELLO = "AMQP";

    private static final Map<String, KeyStore> KEYS = new HashMap<>();

    @TempDir
    private static Path folder;

    @Test
    void aCertificateOfThisHostIsTakenAndTheConversationBegins() throws Exception {
        KeyStore keys = keys("localhost");

        assertThat(heard(keys, factory(keys))).startsWith(HELLO);
    }

    @Test
    void aTrustedCertificateOfAnotherHostIsRefused() throws Exception {
        KeyStore keys = keys("elsewhere.example.org");

        assertThat(heard(keys, factory(keys))).isEmpty();
    }

    @Test
    void hostNamesAreVerifiedEvenIfTheFactoryWasToldNotTo() throws Exception {
        KeyStore keys = keys("elsewhere.example.org");
        ConnectionFactory factory = factory(keys);
        factory.setSocketConfigurator(socket -> {});

        assertThat(heard(keys, factory)).isEmpty();
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() throws Exception {
        assertThat(heard(keys("localhost"), factory(freshKeys("localhost")))).isEmpty();
    }

    @Test
    void aFactoryWhoseSocketsHaveNoTlsAfterAllIsRefused() throws Exception {
        ConnectionFactory factory = factory(keys("localhost"));
        factory.setSocketFactory(SocketFactory.getDefault());

        PublishResult result = publish(factory);

        assertThat(result.error()).contains("without it");
    }

    /** Returns what the server was told in the clear text inside TLS. */
    private String heard(KeyStore keys, ConnectionFactory factory) throws Exception {
        try (SSLServerSocket server = (SSLServerSocket)
                context(keys).getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> listen(server));
            factory.setPort(server.getLocalPort());

            assertThat(publish(factory).kind()).isEqualTo(Kind.UNAVAILABLE);
            return heard.get(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static String listen(SSLServerSocket server) {
        try (var socket = server.accept();
                InputStream input = socket.getInputStream()) {
            return new String(input.readNBytes(HELLO.length()), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static PublishResult publish(ConnectionFactory factory) {
        try (RabbitPublisher publisher = RabbitPublisher.builder(factory).build()) {
            return Answers.of(publisher, OutboxMessage.to("t", "t").build());
        }
    }

    private static ConnectionFactory factory(KeyStore trusted) throws GeneralSecurityException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("localhost");
        factory.useSslProtocol(context(trusted));
        return factory;
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static KeyStore keys(String host) throws Exception {
        KeyStore known = KEYS.get(host);
        if (known == null) {
            known = freshKeys(host);
            KEYS.put(host, known);
        }
        return known;
    }

    private static KeyStore freshKeys(String host) throws Exception {
        Path file = folder.resolve(UUID.randomUUID() + ".p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + host,
                        "-ext",
                        "san=dns:" + host,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return KeyStore.getInstance(file.toFile(), PASSWORD);
    }
}
