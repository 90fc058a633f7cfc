package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a relay says of itself while its database is away, hangs or is slow; the clock is the test's own. */
class RelayHealthTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger heartbeats = new AtomicInteger();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Heartbeat heartbeat = Heartbeat.ANSWERS;
    private final Relay relay = relay();

    private enum Heartbeat {
        ANSWERS,
        FAILS,
        ENDS_BY_AN_ERROR,
        HANGS,
        SLOW
    }

    @AfterEach
    void stop() {
        heartbeat = Heartbeat.ANSWERS;
        released.countDown();
        relay.close();
    }

    @Test
    void relayThatFailsForHoursIsAliveAndNamesTheStall() {
        heartbeat = Heartbeat.FAILS;
        relay.start();

        for (int hour = 0; hour < 2; hour++) {
            nanos.addAndGet(Duration.ofHours(1).toNanos());
            awaitHeartbeats(1);

            assertThat(relay.health().storeReachable()).isFalse();
            assertThat(HealthReport.of(relay.health()).live()).isTrue();
        }
        await().atMost(PATIENCE).until(() -> relay.health().alive());
        assertThat(relay.health().stall())
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("the keep loop had no successful turn", "standby by failure"));
    }

    @Test
    void relayWhoseHeartbeatEndsByAnErrorGoesOnAndCountsIt() {
        heartbeat = Heartbeat.ENDS_BY_AN_ERROR;
        relay.start();

        await().atMost(PATIENCE).until(() -> relay.health().storeReachable());

        assertThat(relay.health().alive()).isTrue();
        assertThat(relay.health().restarts()).isEqualTo(1);
        assertThat(HealthReport.of(relay.health()).details()).containsEntry("restarts", 1L);
    }

    @Test
    void relayWhoseHeartbeatWaitsIsAliveAndItsStoreUnreachable() throws InterruptedException {
        relay.start();
        await().atMost(PATIENCE).until(() -> relay.health().storeReachable());
        heartbeat = Heartbeat.HANGS;
        awaitHangingHeartbeat();

        nanos.addAndGet(Duration.ofSeconds(60).toNanos());

        assertThat(relay.health().storeReachable()).isFalse();
        assertThat(relay.health().failure())
                .hasValueSatisfying(text -> assertThat(text).contains("keep: the heartbeat has been under way"));
        await().atMost(PATIENCE).until(() -> relay.health().alive());
    }

    @Test
    void relayWhoseTurnOutlastsEveryTimeOutIsNotAlive() throws InterruptedException {
        relay.start();
        heartbeat = Heartbeat.HANGS;
        awaitHangingHeartbeat();

        nanos.addAndGet(Duration.ofSeconds(141).toNanos());

        assertThat(relay.health().alive()).isFalse();
    }

    @Test
    void relayWhoseHeartbeatsComeTooLateNamesTheStall() {
        relay.start();
        heartbeat = Heartbeat.SLOW;

        await().atMost(PATIENCE)
                .until(() -> relay.health().stall().orElse("").contains("standby by failure: no heartbeat arrived"));

        heartbeat = Heartbeat.ANSWERS;
        await().atMost(PATIENCE).until(() -> relay.health().stall().isEmpty());
    }

    @Test
    void standbyByConfigurationIsNoStall() {
        relay.start();
        await().atMost(PATIENCE).until(() -> relay.health().storeReachable());

        for (int minute = 0; minute < 3; minute++) {
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            awaitHeartbeats(2);
        }

        await().atMost(PATIENCE).until(() -> relay.health().stall().isEmpty());
        assertThat(relay.health().state()).isEqualTo(RelayHealth.State.STANDBY);
    }

    private void awaitHangingHeartbeat() throws InterruptedException {
        assertThat(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void awaitHeartbeats(int more) {
        int before = heartbeats.get();
        await().atMost(PATIENCE).until(() -> heartbeats.get() >= before + more);
    }

    private Relay relay() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "renew" -> {
                            return renew();
                        }
                        case "decrypts" -> {
                            return false;
                        }
                        case "leave" -> {
                            return null;
                        }
                        default -> throw new AssertionError(method);
                    }
                });
        RelayBuilder builder = Relay.builder(store, (wave, answers) -> {})
                .ownFor(Duration.ofMillis(500))
                .stopTimeout(Duration.ofSeconds(1));
        builder.nanoTime = nanos::get;
        return builder.build();
    }

    private Membership renew() throws InterruptedException {
        heartbeats.incrementAndGet();
        switch (heartbeat) {
            case ANSWERS -> {}
            case ENDS_BY_AN_ERROR -> {
                heartbeat = Heartbeat.ANSWERS;
                throw new OutOfMemoryError("pretended");
            }
            case FAILS -> throw new IllegalStateException("The database is away");
            case HANGS -> {
                hanging.countDown();
                released.await();
            }
            // Longer than the longest ownership a relay asks for.
            case SLOW -> nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        }
        // Another relay has the first rank and this one no share.
        return new Membership(List.of("another"), List.of(), Set.of());
    }
}
