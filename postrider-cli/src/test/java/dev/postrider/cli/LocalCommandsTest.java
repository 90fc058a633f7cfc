package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that connect to nothing. */
final class LocalCommandsTest {

    @TempDir
    Path folder;

    @Test
    void filesForOperationAreThoseOfTheRepository() throws IOException {
        CliRun run = CliRun.of("ops", "export", folder.resolve("pack").toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("postrider-rules.yml", "postrider-dashboard.json", "blocked-key.md");
        assertThat(folder.resolve("pack/prometheus/postrider-rules.yml"))
                .hasSameTextualContentAs(Path.of("../ops/prometheus/postrider-rules.yml"));
        assertThat(folder.resolve("pack/runbooks/dead.md"))
                .hasSameTextualContentAs(Path.of("../docs/runbooks/dead.md"));
    }

    @Test
    void changedFileStaysUnlessForced() throws IOException {
        Path pack = folder.resolve("pack");
        Path rules = pack.resolve("prometheus/postrider-rules.yml");
        Files.createDirectories(rules.getParent());
        Files.writeString(rules, "mine");

        CliRun run = CliRun.of("ops", "export", pack.toString());
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("postrider-rules.yml", "--force");
        assertThat(rules).hasContent("mine");

        assertThat(CliRun.of("ops", "export", pack.toString(), "--force").exitCode())
                .isZero();
        assertThat(rules).hasSameTextualContentAs(Path.of("../ops/prometheus/postrider-rules.yml"));
    }

    @Test
    void completionIsAScriptThatBashReads() throws IOException, InterruptedException {
        CliRun run = CliRun.of("completion");
        Path script = Files.writeString(folder.resolve("completion"), run.out());
        Process bash = new ProcessBuilder("bash", "-c", "source " + script + " && complete -p postrider")
                .redirectErrorStream(true)
                .start();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(answer).contains("complete").contains("postrider");
        assertThat(run.out()).contains("requeue", "--filter");
    }

    @Test
    void versionIsWrittenInEveryForm() {
        assertThat(CliRun.of("version").out()).startsWith("Postrider").contains("Java");
        assertThat(CliRun.of("version", "-o", "json").json().path("java").asString())
                .isEqualTo(System.getProperty("java.version"));
        assertThat(CliRun.of("--version").out()).startsWith("postrider ");
    }
}
