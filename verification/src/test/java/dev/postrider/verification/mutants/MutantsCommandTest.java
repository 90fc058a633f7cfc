package dev.postrider.verification.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantsCommandTest {

    private static final String SURVIVOR = "safety.Wait.longer: changed conditional boundary";
    private static final String CODE = "return one > other ? one : other;";

    @TempDir
    Path root;

    private Path results;

    private record Ended(int status, List<String> lines) {

        String lastLine() {
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        }
    }

    @BeforeEach
    void layOut() throws IOException {
        assumeTrue(pythonExists(), "python3 is missing");
        Path source = root.resolve("postrider-core/src/main/java/dev/postrider/safety/Wait.java");
        write(source, "package dev.postrider.safety;\n\n    " + CODE + "\n");
        Path command = root.resolve("verification/mutants");
        Files.createDirectories(command.getParent());
        Files.copy(Path.of("mutants"), command);
        results = root.resolve("verification/target/mutants");
        write(results.resolve("safety/scope"), "quick=True class=None\n");
        results("safety", "SURVIVED", "KILLED", "TIMED_OUT");
    }

    @Test
    void survivorFailsAndIsShownAsAnEntry() throws IOException {
        Ended ended = judge();

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.lines()).contains(SURVIVOR, "    " + CODE);
        assertThat(ended.lastLine()).isEqualTo("mutants=3 killed=2 accepted=0 survived=1");
    }

    @Test
    void acceptedSurvivorPasses() throws IOException {
        accept(SURVIVOR);

        Ended ended = judge();

        assertThat(ended.status()).isZero();
        assertThat(ended.lastLine()).isEqualTo("mutants=3 killed=2 accepted=1 survived=0");
    }

    @Test
    void entryForQuickRunsCountsInNoOther() throws IOException {
        write(results.resolve("safety/scope"), "quick=False class=None\n");
        accept(SURVIVOR, "only without PostgreSQL: there alone it matters");

        assertThat(run("--again", "--package", "safety").lastLine())
                .isEqualTo("mutants=3 killed=2 accepted=0 survived=1");

        results("safety", "KILLED", "KILLED", "KILLED");
        assertThat(run("--again", "--package", "safety").status()).isZero();
        write(results.resolve("safety/scope"), "quick=True class=None\n");
        results("safety", "SURVIVED", "KILLED", "KILLED");
        assertThat(judge().lastLine()).isEqualTo("mutants=3 killed=2 accepted=1 survived=0");
    }

    @Test
    void entryOfAMutantThatIsKilledIsStale() throws IOException {
        accept(SURVIVOR);
        results("safety", "KILLED", "KILLED", "TIMED_OUT");

        Ended ended = judge();

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.lines()).contains("stale entry, a test kills it: " + SURVIVOR);
        assertThat(ended.lastLine()).isEqualTo("mutants=3 killed=3 accepted=0 survived=0");
    }

    @Test
    void entryOfAMutantThatHangsIsNotStale() throws IOException {
        accept(SURVIVOR);
        results("safety", "TIMED_OUT", "KILLED", "TIMED_OUT");

        assertThat(judge().status()).isZero();
    }

    @Test
    void entryWithoutAMutantIsStale() throws IOException {
        accept("safety.Wait.shorter: negated conditional");
        results("safety", "KILLED", "KILLED", "KILLED");

        Ended ended = judge();

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.lines())
                .contains("stale entry, there is no such mutant: safety.Wait.shorter: negated conditional");
    }

    @Test
    void secondMutantOfALineNeedsAnEntryOfItsOwn() throws IOException {
        accept(SURVIVOR);
        results("safety", "SURVIVED", "SURVIVED", "KILLED");

        Ended ended = judge();

        assertThat(ended.lines()).contains(SURVIVOR + " #2");
        assertThat(ended.lastLine()).isEqualTo("mutants=3 killed=1 accepted=1 survived=1");
    }

    @Test
    void runThatPitDidNotFinishSurvives() throws IOException {
        results("safety", "RUN_ERROR", "KILLED", "KILLED");

        assertThat(judge().lastLine()).isEqualTo("mutants=3 killed=2 accepted=0 survived=1");
    }

    @Test
    void entryWithoutAReasonIsRefused() throws IOException {
        write(root.resolve("verification/mutation/accepted.txt"), SURVIVOR + "\n    " + CODE + "\n");

        assertThat(judge().status()).isEqualTo(2);
    }

    @Test
    void resultsOfOtherOptionsAreRefused() throws IOException {
        assertThat(run("--again", "--package", "safety").status()).isEqualTo(2);
        assertThat(run("--again", "--quick", "--package", "relay").status()).isEqualTo(2);
    }

    @Test
    void classThatWasTestedAgainIsReplacedInTheResultsOfItsPackage() throws IOException {
        write(results.resolve("safety-classes/scope"), "quick=True class=['Wait']\n");
        results("safety-classes", "KILLED", "KILLED");

        Ended ended = run("--again", "--quick", "--package", "safety", "--class", "Wait");

        assertThat(ended.lastLine()).isEqualTo("mutants=2 killed=2 accepted=0 survived=0");
        assertThat(judge().lastLine()).isEqualTo("mutants=2 killed=2 accepted=0 survived=0");
    }

    @Test
    void classThatWasTestedAgainLeavesTheOthersOfItsPackage() throws IOException {
        write(results.resolve("safety-classes/scope"), "quick=True class=['Other']\n");
        write(results.resolve("safety-classes/mutations.xml"), "<mutations/>");

        run("--again", "--quick", "--package", "safety", "--class", "Other");

        assertThat(judge().lastLine()).isEqualTo("mutants=3 killed=2 accepted=0 survived=1");
    }

    @Test
    void badOptionsAreRefused() throws IOException {
        assertThat(run("--minutes", "0").status()).isEqualTo(2);
        assertThat(run("--threads", "two").status()).isEqualTo(2);
        assertThat(run("--package", "spi").status()).isEqualTo(2);
        assertThat(run("--class", "Lanes").status()).isEqualTo(2);
        assertThat(run("--write", "--package", "relay").status()).isEqualTo(2);
    }

    private static boolean pythonExists() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return "true".equals(System.getenv("CI"));
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while python3 ran", e);
        }
    }

    private Ended judge() throws IOException {
        return run("--again", "--quick", "--package", "safety");
    }

    private Ended run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("python3", root.resolve("verification/mutants").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return new Ended(process.waitFor(), output.lines().toList());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException("Interrupted while the command ran", e);
        }
    }

    private void accept(String entry) throws IOException {
        accept(entry, "both sides are\n    the same");
    }

    private void accept(String entry, String reason) throws IOException {
        write(
                root.resolve("verification/mutation/accepted.txt"),
                "# a comment\n\n%s\n    %s\n    reason: %s\n".formatted(entry, CODE, reason));
    }

    private void results(String folder, String... statuses) throws IOException {
        StringBuilder xml = new StringBuilder("<mutations>\n");
        for (int i = 0; i < statuses.length; i++) {
            xml.append("""
                    <mutation status='%s'><sourceFile>Wait.java</sourceFile>
                    <mutatedClass>dev.postrider.safety.Wait</mutatedClass><mutatedMethod>lambda$longer$%d</mutatedMethod>
                    <lineNumber>3</lineNumber><indexes><index>%d</index></indexes>
                    <description>changed conditional boundary</description></mutation>
                    """.formatted(statuses[i], i, i));
        }
        write(
                results.resolve(folder + "/mutations.xml"),
                xml.append("</mutations>\n").toString());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
