package dev.postrider.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Compiles and runs the first application of the documentation with the starter as its only dependency, on H2. */
final class StarterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_LINES = 12;
    private static final Pattern EXAMPLE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path classes;

    @Test
    void firstApplicationOfTheDocumentationDeliversItsMessage() throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        compile(application());
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> shop = loader.loadClass("shop.Shop");
            try (ConfigurableApplicationContext context =
                    SpringApplication.run(shop, "--spring.main.banner-mode=off")) {
                await().atMost(PATIENCE)
                        .until(() -> printed.toString(StandardCharsets.UTF_8).contains("delivered 42"));
                assertThat(context.isRunning()).isTrue();
            }
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
            System.setOut(console);
        }
    }

    @Test
    void firstApplicationHasAtMostTwelveLinesBesideItsImports() throws IOException {
        assertThat(application().lines().filter(line -> !line.isBlank() && !line.startsWith("import ")))
                .hasSizeLessThanOrEqualTo(MOST_LINES);
    }

    @Test
    void furtherExamplesOfThePageCompile() throws IOException {
        List<String> further = examples().subList(1, examples().size());

        assertThat(further).isNotEmpty();
        for (String example : further) {
            compile("""
                    import dev.postrider.*;
                    import dev.postrider.relay.*;
                    import dev.postrider.retry.*;
                    import dev.postrider.spi.*;
                    import dev.postrider.spring.*;
                    import dev.postrider.spring.boot.*;
                    import java.time.Duration;
                    class Shop {
                        void example(byte[] secret) {
                            %s
                        }
                    }
                    """.formatted(example));
        }
    }

    private static String application() throws IOException {
        return examples().get(0);
    }

    private static List<String> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(Path.of("../docs/spring-boot.md")))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private void compile(String text) {
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Shop.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return "package shop;\n" + text;
            }
        };
        StringWriter errors = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-parameters", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, List.of(file))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }
}
