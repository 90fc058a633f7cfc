package dev.postrider.benchmarks.publishers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void mediansAreComparedAndTheSpreadIsShown() {
        for (double rate : new double[] {300, 100, 200}) {
            results.add("ours", rate);
        }
        results.add("base", 350);
        results.add("base", 450);

        assertThat(results.median("ours")).isEqualTo(200);
        assertThat(results.ratio("ours", "base")).isEqualTo(0.5);
        assertThat(results.table().lines())
                .anySatisfy(line -> assertThat(line).matches("ours +200 +100 +300"))
                .anySatisfy(line -> assertThat(line).matches("base +400 +350 +450"));
    }

    @Test
    void whatWasNotMeasuredIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> results.median("ours"))
                .withMessageContaining("ours");
    }
}
