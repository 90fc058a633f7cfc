package dev.postrider.benchmarks.contest.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.benchmarks.contest.arena.Parameters;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FiguresTest {

    @Test
    void figuresAndSettingsCrossTheBorderBetweenProcesses() {
        Figures figures = new Figures();
        figures.put("rate", 1234.5678);
        figures.settings(Map.of("poll", "a=b"));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        figures.print(new PrintStream(printed, true, StandardCharsets.UTF_8));

        Figures parsed = Figures.parse("some noise\n" + printed.toString(StandardCharsets.UTF_8) + "more noise\n");

        assertThat(parsed.values()).containsExactly(Map.entry("rate", 1234.5678));
        assertThat(parsed.settings()).containsExactly(Map.entry("poll", "a=b"));
    }

    @Test
    void lapsGiveTheirMediansAndHideNoDuplicate() {
        Figures laps = new Figures();

        laps.putMedians(List.of(lap(3, 0), lap(1, 1), lap(2, 0)));

        assertThat(laps.values()).containsExactly(Map.entry("rate", 2.0), Map.entry("duplicates", 0.0));
        assertThat(Figures.sum(List.of(lap(3, 0), lap(1, 1), lap(2, 0)), "duplicates"))
                .isEqualTo(1);
    }

    private static Figures lap(double rate, double duplicates) {
        Figures lap = new Figures();
        lap.put("rate", rate);
        lap.put("duplicates", duplicates);
        return lap;
    }

    @Test
    void parametersAreNamed() {
        Parameters parameters = Parameters.parse(List.of("url=jdbc:x?a=b", "messages=5"));

        assertThat(parameters.text("url")).isEqualTo("jdbc:x?a=b");
        assertThat(parameters.with("messages", 6).number("messages")).isEqualTo(6);
        assertThatThrownBy(() -> parameters.text("sink")).hasMessageContaining("'sink' is missing");
        assertThatThrownBy(() -> Parameters.parse(List.of("nonsense"))).hasMessageContaining("name=value");
    }
}
