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
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compiles the Java examples of the documentation. What an example takes for granted stands in a file of the page's
 * name among the test resources.
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
            StringBuilder source = new StringBuilder(Files.readString(GIVEN.resolve("common.txt")));
            source.append("class Examples extends Common {\n");
            source.append(Files.exists(given()) ? Files.readString(given()) : "");
            for (int i = 0; i < examples.size(); i++) {
                source.append(member(i));
            }
            return source.append("}\n").toString();
        }

        private String member(int index) {
            String example = examples.get(index);
            return example.startsWith("@Test")
                    ? example
                    : "void example" + index + "() throws Exception {\n" + example + "}\n";
        }

        @Override
        public String toString() {
            return path;
        }
    }

    static List<Page> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .map(Page::read)
                    .filter(page -> !page.examples().isEmpty())
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theExamplesOfAPageCompile(Page page) throws IOException {
        assertThat(errors(page.source())).isEmpty();
    }

    @Test
    void anExampleThatDoesNotFitIsNoticed() throws IOException {
        Page page = new Page("docs/none.md", List.of("Relay.builder(store, publisher).noSuchThing();\n"));

        assertThat(errors(page.source())).singleElement().asString().contains("noSuchThing");
    }

    private List<String> errors(String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        compiler.getTask(new StringWriter(), null, found, options, null, List.of(file))
                .call();
        List<String> lines = source.lines().toList();
        List<String> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> error : found.getDiagnostics()) {
            if (error.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(error.getMessage(Locale.ROOT) + " in: " + lines.get((int) error.getLineNumber() - 1));
            }
        }
        return errors;
    }
}
