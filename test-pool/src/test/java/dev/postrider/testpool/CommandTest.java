package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandTest {

    @TempDir
    Path logs;

    @Test
    void theLastLineIsPrintedWithoutColourCodes() throws InterruptedException {
        Command.Result result = new Command("checks", "echo first; echo last; printf '\\033[0m\\n'").run(logs);

        assertThat(result.passed()).isTrue();
        assertThat(result.lastLine()).isEqualTo("last");
    }

    @Test
    void aCommandThatEndsWithAnotherStatusHasFailed() throws InterruptedException {
        Command.Result result = new Command("checks", "echo broken; exit 3").run(logs);

        assertThat(result.passed()).isFalse();
        assertThat(result.tail()).contains("broken");
    }
}
