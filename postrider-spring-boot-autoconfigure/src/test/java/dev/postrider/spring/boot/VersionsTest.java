package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.impl.ClientVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.utils.AppInfoParser;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** Shows that the tests run with the Spring Boot they say, and with the clients that it manages. */
final class VersionsTest {

    private static final Properties EXPECTED = read();

    @Test
    void springBootAndItsClientsHaveTheExpectedVersions() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(EXPECTED.getProperty("spring-boot"));
        assertThat(AppInfoParser.getVersion()).isEqualTo(EXPECTED.getProperty("kafka-clients"));
        assertThat(ClientVersion.VERSION).isEqualTo(EXPECTED.getProperty("amqp-client"));
        assertThat(Version.getVersionString()).startsWith(EXPECTED.getProperty("hibernate") + ".");
    }

    @Test
    void pageNamesTheVersion() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "spring-boot.md"))).contains(SpringBootVersion.getVersion());
    }

    private static Properties read() {
        Properties expected = new Properties();
        try (InputStream file = VersionsTest.class.getResourceAsStream("/expected-versions.properties")) {
            expected.load(Objects.requireNonNull(file));
        } catch (IOException e) {
            throw new IllegalStateException("Could not read the expected versions", e);
        }
        return expected;
    }
}
