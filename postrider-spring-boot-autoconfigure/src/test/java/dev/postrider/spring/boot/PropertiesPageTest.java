package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/spring-properties.md says what the configuration metadata say. */
final class PropertiesPageTest {

    private static final String SCRIPT = "../scripts/spring-properties";

    @TempDir
    private Path folder;

    @Test
    void pageOfThePropertiesIsUpToDate() throws Exception {
        assumeTrue("true".equals(System.getenv("CI")) || python("--version").isEmpty(), "python3 is missing");

        assertThat(python(SCRIPT, "--check", metadata().toString())).isEmpty();
    }

    @Test
    void settingThatThePageLacksFailsTheCheck() throws Exception {
        assumeTrue("true".equals(System.getenv("CI")) || python("--version").isEmpty(), "python3 is missing");
        Path more = folder.resolve("metadata.json");
        Files.writeString(
                more,
                Files.readString(metadata())
                        .replace("\"postrider.relay.batch-size\"", "\"postrider.relay.batch-height\""));

        assertThat(python(SCRIPT, "--check", more.toString())).contains("run ./scripts/spring-properties");
    }

    private static Path metadata() throws URISyntaxException {
        return Path.of(PostriderProperties.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("META-INF/spring-configuration-metadata.json");
    }

    /** Runs Python and returns what it complains about. */
    private static String python(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "python3";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            return "python3 cannot be started: " + e.getMessage();
        }
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() == 0 ? "" : errors;
    }
}
