package dev.postrider.testpool;

import org.junit.jupiter.api.Test;

/** Ends the JVM that runs it. */
final class DyingFixture {

    @Test
    void dies() {
        Runtime.getRuntime().halt(3);
    }
}
