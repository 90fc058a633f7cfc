package dev.postrider.benchmarks.contest.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CargoTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 123_456_789, Integer.MAX_VALUE})
    void aPayloadTellsItsNumber(int number) {
        String payload = Cargo.payload(number);

        assertThat(payload).hasSize(Cargo.BYTES).startsWith("{").endsWith("]}");
        assertThat(Cargo.number(payload)).isEqualTo(number);
        assertThat(Cargo.number(Cargo.bytes(payload))).isEqualTo(number);
    }

    @Test
    void keysAreSpread() {
        assertThat(new Cargo(3).key(4)).isEqualTo("key-1");
        assertThatThrownBy(() -> new Cargo(0)).hasMessageContaining("keys must be at least 1 but was 0");
    }
}
