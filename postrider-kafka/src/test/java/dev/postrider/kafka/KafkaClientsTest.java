package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Availability;
import dev.postrider.services.ClientJars;
import dev.postrider.services.KafkaServer;
import dev.postrider.testpool.OtherVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Publisher and consumer with other versions of Kafka's client than the one they are compiled against, which is the
 * oldest: those of Spring Boot 4.0 and 4.1, and the newest.
 */
final class KafkaClientsTest {

    private static final Path PAGE = Path.of("..", "docs", "publishers", "kafka.md");

    static Stream<OtherVersion> versions() {
        return ClientJars.of("kafka-clients").stream().map(OtherVersion::of);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void publisherAndConsumerWorkWithTheClient(OtherVersion client) {
        Availability kafka = KafkaServer.available();
        Assumptions.assumeTrue(kafka.available(), kafka::reason);

        OtherVersion.Outcome outcome = client.run(
                ClientVersionTest.class,
                KafkaPublisherBuilderTest.class,
                KafkaErrorsTest.class,
                PlainKafkaPublisherTest.class,
                TransactionalKafkaPublisherTest.class,
                KafkaRoundTripTest.class);

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.tests() - outcome.skipped()).isGreaterThan(60);
    }

    @Test
    void pageNamesEveryVersion() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(page).contains("`kafka-clients` " + ClientVersionTest.version());
        assertThat(versions()).allSatisfy(client -> assertThat(page).contains(client.version()));
    }
}
