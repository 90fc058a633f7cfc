package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles the Java examples of the documentation, except those of the {@code spring-} pages, which the starter's own
 * test compiles. What an example takes for granted stands in a file of the page's name among the test resources.
 */
class ExamplesTest {

    private static final Path ROOT = Path.of("..");
    private static final Path GIVEN = Path.of("src/test/resources/examples");
    private static final Pattern EXAMPLE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path classes;

    /** The examples of a page, each of which becomes a method of one class. */
    private record Page(String path, List<String> examples) {

        static Page read(Path file) {
            try {
                Stream<MatchResult> found =
                        EXAMPLE.matcher(Files.readString(file)).results();
                return new Page(
                        ROOT.relativize(file).toString(),
                        found.map(match -> match.group(1)).toList());
            } catch (IOException e) {
                throw new IllegalStateException("Cannot read " + file, e);
            }
        }

        Path given() {
            return GIVEN.resolve(path.replaceAll("^docs/|\\.md$", "").toLowerCase(Locale.ROOT) + ".txt");
        }

        String source() throws IOException {
            StringBuilder source = new StringBuilder();
            examples.stream()
                    .flatMap(String::lines)
                    .filter(Page::isImport)
                    .forEach(line -> source.append(line).append('\n'));
            source.append(Files.readString(GIVEN.resolve("common.txt")));
            source.append("class Examples extends Common {\n");
            source.append(Files.exists(given()) ? Files.readString(given()) : "");
            for (int i = 0; i < examples.size(); i++) {
                source.append(member(i));
            }
            return source.append("}\n").toString();
        }

        private static boolean isImport(String line) {
            return line.startsWith("import ");
        }

        private String member(int index) {
            String example = examples.get(index)
                    .lines()
                    .filter(line -> !isImport(line))
                    .collect(Collectors.joining("\n", "", "\n"))
                    .stripLeading();
            return example.startsWith("@Test")
                    ? example
                    : "void example" + index + "() throws Exception {\n" + example + "}\n";
        }

        @Override
        public String toString() {
            return path;
        }
    }

    private static List<Page> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .filter(file -> !file.getFileName().toString().startsWith("spring-"))
                    .sorted()
                    .map(Page::read)
                    .filter(page -> !page.examples().isEmpty())
                    .toList();
        }
    }

    @Test
    void theExamplesOfAllPagesCompile() throws IOException {
        List<Page> pages = pages();

        assertThat(pages).hasSizeGreaterThan(10);
        assertThat(errors(pages)).isEmpty();
    }

    @Test
    void anExampleThatDoesNotFitIsNoticed() throws IOException {
        Page fitting = new Page("docs/some.md", List.of("Relay.builder(store, publisher).build();\n"));
        Page wrong = new Page("docs/none.md", List.of("Relay.builder(store, publisher).noSuchThing();\n"));

        assertThat(errors(List.of(fitting, wrong)))
                .singleElement()
                .asString()
                .startsWith("docs/none.md")
                .contains("noSuchThing");
    }

    /** Compiles all pages at once, which takes a tenth of the time of one after the other. */
    private List<String> errors(List<Page> pages) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<Source> sources = new ArrayList<>();
        for (Page page : pages) {
            sources.add(new Source(page, "package page%d;%n%s".formatted(sources.size(), page.source())));
        }
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        compiler.getTask(new StringWriter(), null, found, options, null, sources)
                .call();
        List<String> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> error : found.getDiagnostics()) {
            if (error.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(Source.describe(error));
            }
        }
        return errors;
    }

    /** A page as a file of a package of its own. */
    private static final class Source extends SimpleJavaFileObject {

        private final Page page;
        private final String text;

        Source(Page page, String text) {
            super(URI.create("string:///" + page + "/Examples.java"), JavaFileObject.Kind.SOURCE);
            this.page = page;
            this.text = text;
        }

        static String describe(Diagnostic<? extends JavaFileObject> error) {
            String message = error.getMessage(Locale.ROOT);
            return error.getSource() instanceof Source source
                    ? "%s: %s in: %s"
                            .formatted(
                                    source.page,
                                    message,
                                    source.text.lines().toList().get((int) error.getLineNumber() - 1))
                    : message;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
