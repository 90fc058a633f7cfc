package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/requirements.md true: every test it names exists, every tagged id stands in it as shown. */
class RequirementsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([RB][\\d.]+)\"\\)");
    private static final Pattern OPEN = Pattern.compile("\\| ([RB][\\d.]+) \\| [^|]* \\| open \\|");

    private final String document = read(ROOT.resolve("docs/requirements.md"));
    private final Map<String, String> sources = sources();

    @Test
    void everyTestThatIsNamedExists() {
        Set<String> missing = NAMED.matcher(document)
                .results()
                .filter(name -> !sources.getOrDefault(name.group(1), "").contains(" " + name.group(2) + "("))
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(missing).isEmpty();
    }

    @Test
    void nothingThatATestShowsIsCalledOpen() {
        Set<String> tagged = sources.values().stream()
                .flatMap(source -> TAG.matcher(source).results())
                .map(tag -> tag.group(1))
                .collect(Collectors.toSet());

        assertThat(tagged).allSatisfy(id -> assertThat(document).contains("| " + id + " |"));
        assertThat(OPEN.matcher(document).results().map(row -> row.group(1)))
                .isNotEmpty()
                .doesNotContainAnyElementsOf(tagged);
    }

    private static Map<String, String> sources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("src"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            (Function<Path, String>) RequirementsTest::read,
                            (one, other) -> one + other));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
