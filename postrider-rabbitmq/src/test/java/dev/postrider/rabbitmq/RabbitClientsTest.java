package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.ClientJars;
import dev.postrider.testpool.OtherVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Publisher and consumer with other versions of RabbitMQ's client than the one they are compiled against, which is the
 * newest: the oldest that is supported, and those of Spring Boot 4.0 and 4.1.
 */
final class RabbitClientsTest {

    private static final Path PAGE = Path.of("..", "docs", "publishers", "rabbitmq.md");

    static Stream<OtherVersion> versions() {
        return ClientJars.of("amqp-client").stream().map(OtherVersion::of);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void publisherAndConsumerWorkWithTheClient(OtherVersion client) {
        Broker.require();

        OtherVersion.Outcome outcome = client.run(
                ClientVersionTest.class,
                RabbitTlsTest.class,
                RabbitPublisherContractTest.class,
                QueueWarningsTest.class,
                RabbitRoundTripTest.class);

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.tests() - outcome.skipped()).isGreaterThan(30);
    }

    @Test
    void pageNamesEveryVersion() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(page).contains("`amqp-client` " + ClientVersionTest.version());
        assertThat(versions()).allSatisfy(client -> assertThat(page).contains(client.version()));
    }
}
