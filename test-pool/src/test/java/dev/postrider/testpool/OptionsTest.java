package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class OptionsTest {

    @Test
    void commandsKeepTheirOrderAndTheirEqualsSigns() {
        Options options = Options.of("--command", "b=run --x=1", "--command", "a=true", "core");

        assertThat(options.commands()).containsExactly(Map.entry("b", "run --x=1"), Map.entry("a", "true"));
        assertThat(options.modules()).extracting(TestModule::name).containsExactly("core");
    }

    @Test
    void aWrongCommandLineIsRefusedWithTheReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of("--workers", "0"))
                .withMessageContaining("--workers must be a number from 1 to 999 but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of("--jvm"))
                .withMessageContaining("--jvm needs a value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of("--command", "simulator"))
                .withMessageContaining("NAME=COMMAND");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.of("--fast", "yes"))
                .withMessageContaining("unknown option --fast");
    }
}
