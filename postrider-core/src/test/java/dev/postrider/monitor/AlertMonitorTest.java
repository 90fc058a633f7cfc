package dev.postrider.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.Alert;
import dev.postrider.alert.Alert.State;
import dev.postrider.alert.AlertSender;
import dev.postrider.spi.ClaimedMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The threads around the rules. */
@Tag("R4.8")
class AlertMonitorTest {

    private static final OutboxStats CALM = new OutboxStats(0, 0, 0, Duration.ZERO, 10_000, 0, 1, 0);
    private static final OutboxStats DEAD = new OutboxStats(0, 0, 1, Duration.ZERO, 10_000, 0, 1, 0);

    private final List<Alert> received = new CopyOnWriteArrayList<>();

    @Test
    void aStartedMonitorLooksByItself() {
        try (AlertMonitor monitor =
                AlertMonitor.builder(() -> DEAD).sender(received::add).build().start()) {
            await(() -> !received.isEmpty());

            assertThat(received).extracting(Alert::name).containsExactly("dead");
            assertThat(monitor.counts().sent()).isEqualTo(1);
            assertThatThrownBy(monitor::start).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aSenderThatFailsIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        AlertSender flaky = alert -> {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("https://hooks.example/secret");
            }
            received.add(alert);
        };
        try (AlertMonitor monitor = monitor(flaky)) {
            monitor.integrityFailed(claimed());

            await(() -> monitor.counts().sent() == 1);
            assertThat(attempts).hasValue(3);
            assertThat(monitor.counts().failed()).isZero();
        }
    }

    @Test
    void aSenderThatNeverSucceedsIsCountedAndHoldsUpNobody() {
        AlertSender broken = alert -> {
            throw new IllegalStateException("never");
        };
        try (AlertMonitor monitor = monitor(broken, received::add)) {
            monitor.integrityFailed(claimed());

            await(() -> monitor.counts().equals(new AlertMonitor.Counts(1, 1, 0, 0)));
            assertThat(received).hasSize(1);
        }
    }

    @Test
    void aSenderThatHangsBlocksNeitherTheRelayNorOtherSenders() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        AtomicLong nanos = new AtomicLong();
        AlertSender hanging = alert -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try (AlertMonitor monitor = AlertMonitor.builder(() -> CALM)
                .sender(hanging)
                .sender(received::add)
                .time(nanos::get, InstantSource.system())
                .build()
                .start()) {
            Thread relay = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    int heard = received.size();
                    nanos.addAndGet(Duration.ofHours(1).toNanos());
                    monitor.integrityFailed(claimed());
                    await(() -> received.size() > heard);
                }
            });
            relay.start();
            relay.join(TimeUnit.MINUTES.toMillis(2));

            assertThat(relay.isAlive()).isFalse();
            assertThat(received).hasSizeGreaterThanOrEqualTo(300);
            assertThat(monitor.counts().dropped()).isGreaterThanOrEqualTo(199);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aMonitorThatCannotReadSaysSoAndGoesOn() {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        AlertMonitor monitor = AlertMonitor.builder(() -> {
                    if (looks.incrementAndGet() < 10) {
                        throw new IllegalStateException("no database");
                    }
                    return CALM;
                })
                .sender(received::add)
                .time(nanos::get, InstantSource.system())
                .checkEvery(Duration.ofDays(1))
                .build();
        try (monitor) {
            monitor.start();
            for (int i = 0; i < 30; i++) {
                monitor.check();
                nanos.addAndGet(Duration.ofSeconds(15).toNanos());
            }

            await(() -> received.size() == 2);
            assertThat(received).extracting(Alert::name).containsOnly("store-unreachable");
            assertThat(received).extracting(Alert::state).containsExactly(State.FIRING, State.RESOLVED);
        }
    }

    @Test
    void aRelayThatCannotTellHowItIsDoesNotSilenceTheRest() {
        AlertMonitor monitor =
                AlertMonitor.builder(() -> DEAD).sender(received::add).build();
        try (monitor) {
            monitor.watch(() -> {
                        throw new IllegalStateException("no relay");
                    })
                    .start();

            await(() -> !received.isEmpty());
            assertThat(received).extracting(Alert::name).containsExactly("dead");
        }
    }

    @Test
    void senderThatThrowsAnErrorIsTriedAgainAndGetsTheNextAlert() {
        AtomicInteger attempts = new AtomicInteger();
        AtomicLong nanos = new AtomicLong();
        AlertSender broken = alert -> {
            if (attempts.incrementAndGet() <= 4) {
                throw new NoClassDefFoundError("com/example/Client");
            }
            received.add(alert);
        };
        try (AlertMonitor monitor = AlertMonitor.builder(() -> CALM)
                .sender(broken)
                .retryPause(Duration.ofMillis(1))
                .time(nanos::get, InstantSource.system())
                .build()
                .start()) {
            monitor.integrityFailed(claimed());
            await(() -> attempts.get() == 3);
            nanos.addAndGet(Duration.ofHours(1).toNanos());
            monitor.integrityFailed(claimed());

            await(() -> monitor.counts().equals(new AlertMonitor.Counts(1, 1, 0, 0)));
            assertThat(received).hasSize(1);
        }
    }

    @Test
    void senderThatLeavesItsThreadInterruptedGetsTheNextAlert() {
        AtomicLong nanos = new AtomicLong();
        AlertSender interrupting = alert -> {
            received.add(alert);
            Thread.currentThread().interrupt();
        };
        try (AlertMonitor monitor = AlertMonitor.builder(() -> CALM)
                .sender(interrupting)
                .time(nanos::get, InstantSource.system())
                .build()
                .start()) {
            monitor.integrityFailed(claimed());
            await(() -> monitor.counts().restarts() == 1);
            nanos.addAndGet(Duration.ofHours(1).toNanos());
            monitor.integrityFailed(claimed());

            await(() -> received.size() == 2);
        }
    }

    @Test
    void monitorWhoseLookEndsByAnErrorLooksAgainAtOnceAndCountsIt() {
        AtomicInteger looks = new AtomicInteger();
        AlertMonitor monitor = AlertMonitor.builder(() -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("pretended");
                    }
                    return DEAD;
                })
                .sender(received::add)
                .checkEvery(Duration.ofDays(1))
                .build();
        try (monitor) {
            monitor.start();

            await(() -> !received.isEmpty());
            assertThat(received).extracting(Alert::name).containsExactly("dead");
            assertThat(monitor.counts().restarts()).isEqualTo(1);
        }
    }

    @Test
    void whatWasSaidBeforeTheEndIsStillSent() {
        AlertMonitor monitor = monitor(received::add);
        monitor.integrityFailed(claimed());

        monitor.close();

        assertThat(received).hasSize(1);
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        AlertMonitorBuilder builder = AlertMonitor.builder(() -> CALM);

        assertThatThrownBy(() -> builder.outbox("a b")).hasMessageContaining("'a b'");
        assertThatThrownBy(() -> builder.checkEvery(Duration.ZERO)).hasMessageContaining("PT0S");
    }

    private static AlertMonitor monitor(AlertSender... senders) {
        AlertMonitorBuilder builder = AlertMonitor.builder(() -> CALM).retryPause(Duration.ofMillis(1));
        for (AlertSender sender : senders) {
            builder.sender(sender);
        }
        return builder.build().start();
    }

    private static ClaimedMessage claimed() {
        OutboxMessage message =
                OutboxMessage.to("orders", "OrderPlaced").payload("{}").build();
        return new ClaimedMessage(1, 1, "relay", 0, 1, false, 0, false, "changed", message);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }
}
