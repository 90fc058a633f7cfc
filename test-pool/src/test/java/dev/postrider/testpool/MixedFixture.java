package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Has one test of every outcome. Its name keeps it out of the build's own tests. */
final class MixedFixture {

    @Test
    void passes() {}

    @Test
    void isAborted() {
        assumeTrue(false, "not here");
    }

    @Disabled("for the count")
    @Test
    void isDisabled() {}

    @Test
    void fails() {
        fail("first line%nsecond line");
    }
}
