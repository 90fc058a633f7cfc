package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testpool.OtherVersion;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/** Shows that {@link KafkaClientsTest} runs with the clients it says. */
final class ClientVersionTest {

    @Test
    void clientHasTheVersionThatWasAskedFor() {
        assertThat(version()).isEqualTo(System.getProperty(OtherVersion.PROPERTY, version()));
    }

    /** Returns the version of the client, which the name of its file ends in: no class tells it in all versions. */
    static String version() {
        try {
            Path jar = Path.of(ProducerConfig.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Objects.toString(jar.getFileName()).replaceFirst("^.+?-(\\d.*)\\.jar$", "$1");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
