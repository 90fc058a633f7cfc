package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.Relay;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the quick start of the README. */
public class QuickStartTest {

    /** Holds what the quick start sends. */
    public static final List<String> SENT = new CopyOnWriteArrayList<>();

    private static final int MOST_LINES = 12;

    @TempDir
    private Path classes;

    /** Stands for the application's call to its broker. */
    public static void send(OutboxMessage message) {
        SENT.add(message.topic() + " " + new String(message.payload(), StandardCharsets.UTF_8));
    }

    @Test
    @Tag("R1.12")
    void quickStartOfTheReadmeDeliversItsMessage() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:quickstart;DB_CLOSE_DELAY=-1");

        try (Relay relay = run(quickStart(), h2)) {
            await().atMost(RelayProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(SENT).containsExactly("orders {}"));
            assertThat(relay.health().alive()).isTrue();
        }
    }

    @Test
    void quickStartHasAtMostTwelveLines() throws IOException {
        assertThat(quickStart().lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(MOST_LINES);
    }

    private static String quickStart() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        int begin = readme.indexOf("```java\n", readme.indexOf("<!-- quick start")) + "```java\n".length();
        return readme.substring(begin, readme.indexOf("```", begin));
    }

    private Relay run(String code, DataSource dataSource) throws Exception {
        compile(source(code));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            return (Relay) loader.loadClass("QuickStart")
                    .getMethod("run", DataSource.class)
                    .invoke(null, dataSource);
        }
    }

    private static String source(String code) {
        String imports = code.lines().filter(QuickStartTest::isImport).collect(Collectors.joining("\n"));
        String body = code.lines().filter(line -> !isImport(line)).collect(Collectors.joining("\n"));
        return """
                %s
                import static dev.postrider.e2e.QuickStartTest.send;
                public class QuickStart {
                    public static Relay run(javax.sql.DataSource dataSource) throws Exception {
                        %s
                        return relay;
                    }
                }
                """.formatted(imports, body);
    }

    private static boolean isImport(String line) {
        return line.startsWith("import ");
    }

    private void compile(String text) {
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///QuickStart.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        StringWriter errors = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, List.of(file))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }
}
