package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OtherVersionTest {

    @TempDir
    Path folder;

    @Test
    void onlyTheLibraryOfTheSameNameIsReplaced() throws IOException {
        OtherVersion other = OtherVersion.of(Files.createFile(folder.resolve("assertj-core-0.0.1.jar")));

        String[] before = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        String[] after = other.classPath().split(File.pathSeparator, -1);

        assertThat(after)
                .hasSameSizeAs(before)
                .contains(folder.resolve("assertj-core-0.0.1.jar").toString());
        assertThat(Arrays.stream(after).filter(entry -> Arrays.asList(before).contains(entry)))
                .hasSize(before.length - 1);
        assertThat(other.version()).isEqualTo("0.0.1");
    }

    @Test
    void resultsOfAllClassesAreReported() throws IOException {
        OtherVersion.Outcome outcome = same("assertj-core").run(MixedFixture.class, BrokenSetUpFixture.class);

        assertThat(outcome.tests()).isGreaterThanOrEqualTo(4);
        assertThat(outcome.skipped()).isEqualTo(2);
        assertThat(outcome.failures())
                .hasSize(2)
                .anyMatch(failure -> failure.contains("MixedFixture > fails()") && failure.contains("first line"))
                .anyMatch(failure -> failure.contains("no server"));
    }

    @Test
    void classThatEndsTheJvmHasFailed() throws IOException {
        assertThat(same("assertj-core")
                        .run(DyingFixture.class, MixedFixture.class)
                        .failures())
                .singleElement()
                .asString()
                .contains("The JVM ended before the class did");
    }

    @Test
    void libraryThatIsMissingIsNamed() throws IOException {
        Path absent = folder.resolve("other-1.0.jar");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OtherVersion.of(absent))
                .withMessageContaining("other-1.0.jar");

        OtherVersion unused = OtherVersion.of(Files.createFile(absent));

        assertThatIllegalStateException().isThrownBy(unused::classPath).withMessageContaining("no version of other");
    }

    private OtherVersion same(String artifact) throws IOException {
        Path jar = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(entry -> Objects.toString(entry.getFileName()).startsWith(artifact + "-"))
                .findFirst()
                .orElseThrow();
        return OtherVersion.of(Files.copy(jar, folder.resolve(jar.getFileName())));
    }
}
