package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for a {@link SafetyNet}, closing it, and what becomes of its thread. */
@Tag("R4.6")
class SafetyNetEndsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final RecordedDisk disk = new RecordedDisk();

    @Test
    void threadOfTheNetIsADaemon() {
        AtomicBoolean daemon = new AtomicBoolean();
        try (SafetyNet net = SafetyNet.builder()
                .alert(alert -> daemon.set(Thread.currentThread().isDaemon()))
                .build()) {
            net.save(DeadMessages.least(1));
            net.awaitQuiet(PATIENCE);

            assertThat(daemon).isTrue();
        }
    }

    @Test
    void waitingForABusyNetEndsWithItsTime() {
        CountDownLatch go = new CountDownLatch(1);
        try (SafetyNet net = blockedUntil(go)) {
            net.save(DeadMessages.least(1));

            assertThat(net.awaitQuiet(Duration.ofMillis(1))).isFalse();

            go.countDown();
            assertThat(net.awaitQuiet(PATIENCE)).isTrue();
        }
    }

    @Test
    void interruptedWaitKeepsTheInterrupt() {
        CountDownLatch go = new CountDownLatch(1);
        try (SafetyNet net = blockedUntil(go)) {
            net.save(DeadMessages.least(1));
            Thread.currentThread().interrupt();

            assertThat(net.awaitQuiet(PATIENCE)).isFalse();

            assertThat(Thread.interrupted()).isTrue();
            go.countDown();
        }
    }

    @Test
    void interruptedCloseKeepsTheInterrupt() {
        CountDownLatch closed = new CountDownLatch(1);
        SafetyNet net = SafetyNet.builder().backup(disk.watched(directory)).build();
        net.save(DeadMessages.least(1));
        net.awaitQuiet(PATIENCE);
        disk.beforeClose = () -> pass(closed);
        Thread.currentThread().interrupt();

        net.close();

        assertThat(Thread.interrupted()).isTrue();
        closed.countDown();
    }

    @Test
    void closeReturnsAfterTheFilesAreClosed() {
        Thread closing = Thread.currentThread();
        AtomicBoolean fileClosed = new AtomicBoolean();
        SafetyNet net = SafetyNet.builder().backup(disk.watched(directory)).build();
        net.save(DeadMessages.least(1));
        net.awaitQuiet(PATIENCE);
        disk.beforeClose = () -> {
            await().atMost(PATIENCE).until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            fileClosed.set(true);
        };

        net.close();

        assertThat(fileClosed).isTrue();
    }

    @Test
    void messagesBehindAnErrorAreCaughtWithoutAnotherOne() throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        try (SafetyNet net = SafetyNet.builder()
                .alert(alert -> {
                    if (sent.incrementAndGet() == 1) {
                        sending.countDown();
                        pass(go);
                        throw new AssertionError("out of something");
                    }
                })
                .build()) {
            net.save(DeadMessages.least(1));
            sending.await();
            net.save(DeadMessages.least(2));
            net.save(DeadMessages.least(3));

            go.countDown();

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 2, 1, 1));
        }
    }

    @Test
    void messagesThatWaitWhenABusyNetIsClosedAreCountedAsLost() throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(1);
        SafetyNet net = SafetyNet.builder()
                .alert(alert -> {
                    sending.countDown();
                    pass(new CountDownLatch(1));
                })
                .build();
        net.save(DeadMessages.least(1));
        sending.await();
        net.save(DeadMessages.least(2));
        net.save(DeadMessages.least(3));

        // The interrupt cuts the time short that the net gives to messages in hand.
        Thread.currentThread().interrupt();
        net.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(net.awaitQuiet(PATIENCE)).isTrue();
        assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 0, 2));
    }

    @Test
    void levelThatThrowsLeavesItsMessagesToTheNext() {
        AtomicReference<String> details = new AtomicReference<>("");
        try (SafetyNet net = SafetyNet.builder()
                .backup(directory)
                .alert(alert -> details.set(alert.details().toString()))
                .build()) {
            net.save(ofRelay("no\0name"));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(details.get()).contains("messages=1");
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 1, 0));
        }
    }

    @Test
    void netKnowsTheTime() {
        try (SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            assertThat(net.now()).isAfter(Instant.EPOCH);
        }
    }

    private static SafetyNet blockedUntil(CountDownLatch go) {
        return SafetyNet.builder().alert(alert -> pass(go)).build();
    }

    private static void pass(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static DeadMessage ofRelay(String relay) {
        OutboxMessage message = OutboxMessage.to("t", "T").id(new UUID(1, 1)).restore();
        return new DeadMessage(message, 1, 1, "", false, null, Instant.EPOCH, relay);
    }
}
