package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Fails before its first test. */
final class BrokenSetUpFixture {

    @BeforeAll
    static void setUp() {
        assertThat(false).as("no server").isTrue();
    }

    @Test
    void neverRuns() {}
}
