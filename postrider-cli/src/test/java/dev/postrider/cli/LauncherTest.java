package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./postrider} says on a machine where something is missing. */
final class LauncherTest {

    private static final Path LAUNCHER = Path.of("../postrider");
    private static final Set<String> BUILD_TOOLS = Set.of("java", "javac", "mvn", "node", "npm");

    @TempDir
    Path folder;

    private Path tools;
    private Path root;

    private record Launch(int exitCode, String out, String err) {}

    @BeforeEach
    void copyTheLauncher() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is missing");
        root = Files.createDirectories(folder.resolve("root"));
        Files.createDirectories(root.resolve("postrider-cli/src/main"));
        Files.createDirectories(root.resolve("ops"));
        Files.createDirectories(root.resolve("docs/runbooks"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.writeString(root.resolve("postrider-cli/pom.xml"), "<project/>");
        Files.copy(LAUNCHER, root.resolve("postrider"));
        tools = Files.createDirectories(folder.resolve("tools"));
        try (Stream<Path> programs = Files.list(Path.of("/usr/bin"))) {
            for (Path program : programs.toList()) {
                if (!BUILD_TOOLS.contains(program.getFileName().toString())) {
                    Files.createSymbolicLink(tools.resolve(program.getFileName()), program);
                }
            }
        }
    }

    private Launch launch(Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/bash", root.resolve("postrider").toString(), "version");
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Launch(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private static void assertOneLine(Launch launch, String text) {
        assertThat(launch.exitCode()).isEqualTo(1);
        assertThat(launch.out()).isEmpty();
        assertThat(launch.err().lines().toList()).hasSize(1);
        assertThat(launch.err()).startsWith("postrider: ").contains(text);
    }

    @Test
    void withoutJavaOneLineSaysSo() throws IOException, InterruptedException {
        assertOneLine(launch(Map.of()), "Java is missing: install JDK 17 or newer");
    }

    @Test
    void oldJavaIsNamedWithItsVersion() throws IOException, InterruptedException {
        Path home = folder.resolve("jdk-11");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\nexit 1\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();

        assertOneLine(launch(Map.of("JAVA_HOME", home.toString())), "Java 17 or newer is needed, but");
        assertOneLine(launch(Map.of("JAVA_HOME", home.toString())), "is Java 11");
    }

    @Test
    void withoutMavenOneLineSaysSo() throws IOException, InterruptedException {
        Launch launch = launch(Map.of("JAVA_HOME", System.getProperty("java.home")));

        assertOneLine(launch, "Maven is missing");
    }

    @Test
    void failedBuildShowsItsErrorsAndWhereTheLogIs() throws IOException, InterruptedException {
        Path maven = Files.writeString(
                tools.resolve("mvn"), "#!/bin/sh\necho '[INFO] Scanning'\necho '[ERROR] disk full'\nexit 1\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();

        Launch launch = launch(Map.of("JAVA_HOME", System.getProperty("java.home")));

        assertThat(launch.exitCode()).isEqualTo(1);
        List<String> lines = launch.err().lines().toList();
        assertThat(lines).contains("[ERROR] disk full").noneMatch(line -> line.contains("Scanning"));
        assertThat(lines.get(lines.size() - 1)).contains("the build failed").contains("build.log");
    }
}
