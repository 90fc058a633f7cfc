package dev.postrider.monitor;

import dev.postrider.alert.Alert;
import dev.postrider.alert.AlertSender;
import dev.postrider.spi.ErrorText;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends alerts with one sender on a thread of its own, so that a sender that hangs holds up neither the relay nor
 * another sender. Thread-safe.
 */
final class AlertOutlet {

    private static final Logger log = LoggerFactory.getLogger(AlertOutlet.class);
    private static final int ROOM = 100;
    private static final int ATTEMPTS = 3;
    private static final long IDLE_MILLIS = 200;

    private final AlertSender sender;
    private final Duration retryPause;
    private final BlockingQueue<Alert> queue = new ArrayBlockingQueue<>(ROOM);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final SupervisedThread thread = new SupervisedThread("outbox-alert-sender", this::run);

    AlertOutlet(AlertSender sender, Duration retryPause) {
        this.sender = sender;
        this.retryPause = retryPause;
    }

    void start() {
        thread.start();
    }

    /** Takes an alert if there is room. Never blocks. */
    void offer(Alert alert) {
        if (!queue.offer(alert)) {
            dropped.increment();
            log.warn("Alert {} {} was dropped: {} others wait for their sender", alert.name(), alert.state(), ROOM);
        }
    }

    AlertMonitor.Counts counts() {
        return new AlertMonitor.Counts(sent.sum(), failed.sum(), dropped.sum(), thread.restarts());
    }

    /** Sends the queued alerts, for a bounded time. */
    void close(Duration patience) {
        stopped.countDown();
        if (!thread.end(patience)) {
            thread.interrupt();
        }
    }

    private void run() throws InterruptedException {
        while (stopped.getCount() > 0 || !queue.isEmpty()) {
            Alert alert = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
            if (alert != null) {
                sendCounted(alert);
            }
        }
    }

    private void sendCounted(Alert alert) throws InterruptedException {
        try {
            send(alert);
        } catch (InterruptedException e) {
            failed.increment();
            throw e;
        }
    }

    private void send(Alert alert) throws InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                sender.send(alert);
                sent.increment();
                return;
            } catch (RuntimeException | Error e) {
                // The type alone: an address in the text may be a secret.
                log.warn(
                        "Attempt {} of {} to send alert {} {} did not succeed: {}",
                        attempt,
                        ATTEMPTS,
                        alert.name(),
                        alert.state(),
                        ErrorText.type(e));
            }
            if (attempt < ATTEMPTS && stopped.await(retryPause.toNanos() * attempt, TimeUnit.NANOSECONDS)) {
                break;
            }
        }
        failed.increment();
    }
}
