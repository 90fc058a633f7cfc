package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitSubjectsTest {

    private static final Path SCRIPT = Path.of("../scripts/commit-subjects");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Clear claimed_by when a dead message is edited",
                "Pass the key of a message to HttpPublisher",
                "Embed the schema of the inbox in its jar",
                "Re-read the shards after a take-over that took long, in 72 characters no"
            })
    void subjectThatFollowsTheRulesPasses(String subject) {
        ScriptRun run = ScriptRun.of(subject + "\n", SCRIPT, "-");

        assertThat(run.output()).isEmpty();
        assertThat(run.status()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Re-read the shards after a take-over that took long, in 73 characters now | 73 characters
                    Let the relay stop before its time                                        | begins with Let
                    Say which message is dead                                                 | begins with Say
                    Give sagas back on close                                                  | begins with Give
                    Clear claimed_by when a dead message is edited.                           | full stop
                    fixup! Clear claimed_by when a dead message is edited                     | squashed
                    clear claimed_by when a dead message is edited                            | capitalized
                    Clears claimed_by when a dead message is edited                           | imperative
                    Cleared claimed_by when a dead message is edited                          | imperative
                    Fix inbox                                                                 | component and effect
                    """)
    void subjectThatBreaksARuleIsRefused(String subject, String rule) {
        ScriptRun run = ScriptRun.of("Clear the journal after a restore\n" + subject, SCRIPT, "-");

        assertThat(run.output()).contains(rule, subject);
        assertThat(run.status()).isOne();
    }

    @Test
    void emptyRangePasses() {
        assertThat(ScriptRun.of(SCRIPT, "HEAD..HEAD").status()).isZero();
    }

    @Test
    void unknownRangeIsRefused() {
        assertThat(ScriptRun.of(SCRIPT, "no-such-branch..HEAD").status()).isOne();
    }
}
