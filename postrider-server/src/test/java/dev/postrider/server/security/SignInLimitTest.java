package dev.postrider.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class SignInLimitTest {

    private final HandClock clock = new HandClock();
    private final SignInLimit limit = new SignInLimit(clock);

    @Test
    void tenFailuresLockANameAtOneAddressForAMinute() {
        fail("10.0.0.1", "ada", SignInLimit.MOST_FAILURES);

        assertThat(limit.allows("10.0.0.1", "ada")).isFalse();
        assertThat(limit.allows("10.0.0.2", "ada")).isTrue();
        assertThat(limit.allows("10.0.0.1", "bob")).isTrue();
        clock.now = clock.now.plus(Duration.ofSeconds(61));
        assertThat(limit.allows("10.0.0.1", "ada")).isTrue();
    }

    @Test
    void manyNamesFromOneAddressAreLimitedTogether() {
        for (int name = 0; name < SignInLimit.MOST_OF_ONE_SIDE; name++) {
            limit.failed("10.0.0.1", "name-" + name);
        }

        assertThat(limit.allows("10.0.0.1", "another")).isFalse();
    }

    @Test
    void memoryDoesNotGrowWithAddresses() {
        for (int address = 0; address < SignInLimit.MOST_ENTRIES; address++) {
            limit.failed("address-" + address, "ada-" + address);
        }

        assertThat(limit.size()).isEqualTo(SignInLimit.MOST_ENTRIES);
    }

    private void fail(String address, String name, int times) {
        for (int time = 0; time < times; time++) {
            limit.failed(address, name);
        }
    }

    private static final class HandClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
