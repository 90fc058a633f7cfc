package dev.postrider.benchmarks.publishers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void roundsAreComparedAndTheSpreadIsShown() {
        for (double rate : new double[] {300, 100, 200}) {
            results.add("ours", rate);
        }
        for (double rate : new double[] {400, 400, 300}) {
            results.add("base", rate);
        }

        assertThat(results.median("ours")).isEqualTo(200);
        assertThat(results.ratio("ours", "base")).isEqualTo(200.0 / 300);
        assertThat(results.table().lines())
                .anySatisfy(line -> assertThat(line).matches("ours +200 +100 +300"))
                .anySatisfy(line -> assertThat(line).matches("base +400 +300 +400"));
    }

    @Test
    void whatWasNotMeasuredIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> results.median("ours"))
                .withMessageContaining("ours");
    }
}
