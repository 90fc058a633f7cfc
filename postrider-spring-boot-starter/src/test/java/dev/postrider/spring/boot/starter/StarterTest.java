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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Compiles the examples of the pages about Spring, and runs the first application with the starter as its only
 * dependency, on H2. What an example takes for granted stands in a file of the page's name among the test resources.
 */
final class StarterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_LINES = 12;
    private static final Path DOCS = Path.of("../docs");
    private static final Path GIVEN = Path.of("src/test/resources/examples");
    private static final Pattern IMPORT = Pattern.compile("^import .*\\n", Pattern.MULTILINE);
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
    void examplesOfAllPagesAboutSpringCompile() throws IOException {
        try (Stream<Path> pages = Files.list(DOCS)) {
            List<Path> found = pages.filter(
                            page -> page.getFileName().toString().matches("spring-(?!testing).*\\.md"))
                    .sorted()
                    .toList();

            assertThat(found).hasSizeGreaterThan(1);
            for (Path page : found) {
                compileExamples(page);
            }
        }
    }

    private void compileExamples(Path page) throws IOException {
        Path given = GIVEN.resolve(page.getFileName().toString().replace(".md", ".txt"));
        String all = Files.exists(given) ? Files.readString(given) : "";
        for (String example : examples(page)) {
            boolean file = example.startsWith("import ") || example.startsWith("package ");
            compile(
                    file
                            ? example
                            : IMPORT.matcher(all)
                                            .results()
                                            .map(MatchResult::group)
                                            .collect(Collectors.joining()) + "class Example {\n"
                                    + IMPORT.matcher(all).replaceAll("") + member(example) + "}\n");
        }
    }

    private static String member(String example) {
        return example.startsWith("@") ? example : "void example() throws Exception {\n" + example + "}\n";
    }

    private static String application() throws IOException {
        return examples(DOCS.resolve("spring-boot.md")).get(0);
    }

    private static List<String> examples(Path page) throws IOException {
        return EXAMPLE.matcher(Files.readString(page))
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
