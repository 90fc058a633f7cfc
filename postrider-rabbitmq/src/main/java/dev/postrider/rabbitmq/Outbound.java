package dev.postrider.rabbitmq;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes waves without waiting and has one thread write them, because a connect and a write into a full socket take as
 * long as they like. A second thread watches the clock: it answers what is overdue and cuts a connection that does not
 * confirm, which also frees the first thread. Thread-safe.
 */
final class Outbound {

    private static final Logger log = LoggerFactory.getLogger(Outbound.class);
    private static final PublishResult CLOSED = PublishResult.unavailable("The publisher is closed");
    private static final int LOOKS_PER_TIMEOUT = 40;
    private static final Duration JOIN = Duration.ofMillis(1_500);

    private final WaveWriter writer;
    private final Duration confirmTimeout;
    private final BlockingQueue<List<Outgoing>> waves = new LinkedBlockingQueue<>();
    private final SupervisedThread writing = new SupervisedThread("postrider-rabbitmq-writer", this::writeAll);
    private final SupervisedThread watching = new SupervisedThread("postrider-rabbitmq-watchdog", this::watchAll);
    private volatile @Nullable List<Outgoing> current;
    private volatile boolean closed;

    // Guarded by this.
    private boolean started;

    Outbound(Connector connector, Duration confirmTimeout) {
        this.writer = new WaveWriter(connector);
        this.confirmTimeout = confirmTimeout;
    }

    /** Returns the answer to everything that would be sent now; empty if something may be sent. */
    Optional<PublishResult> obstacle() {
        if (closed) {
            return Optional.of(CLOSED);
        }
        Link link = writer.link();
        return link == null ? Optional.empty() : link.blocked();
    }

    void accept(List<Outgoing> wave) {
        start();
        waves.add(wave);
        // Close may have looked at the queue before.
        if (closed) {
            answerQueued(CLOSED);
        }
    }

    private synchronized void start() {
        if (!started && !closed) {
            writing.start();
            watching.start();
            started = true;
        }
    }

    private void writeAll() throws InterruptedException {
        while (!closed) {
            writeOne(waves.take());
        }
        answerQueued(CLOSED);
        writer.close();
    }

    private void writeOne(List<Outgoing> wave) {
        current = wave;
        try {
            writer.write(wave).ifPresent(this::answerQueued);
        } catch (RuntimeException e) {
            log.error("Could not write to RabbitMQ", e);
            giveUp("Could not write to RabbitMQ: " + BrokerText.of(e));
        } catch (Error e) {
            // What the client has sent is unknown now: the next wave gets a new connection.
            giveUp("Could not write to RabbitMQ: " + ErrorText.of(e));
            throw e;
        } finally {
            current = null;
        }
    }

    private void giveUp(String reason) {
        Link link = writer.link();
        if (link != null) {
            link.cut(reason);
        }
        List<Outgoing> wave = current;
        if (wave != null) {
            PublishResult result = PublishResult.unavailable(reason);
            wave.forEach(message -> message.answer(result));
        }
    }

    private void watchAll() throws InterruptedException {
        long pause = Math.max(1, confirmTimeout.toMillis() / LOOKS_PER_TIMEOUT);
        while (!closed) {
            TimeUnit.MILLISECONDS.sleep(pause);
            watchOnce();
        }
    }

    private void watchOnce() {
        try {
            watch(System.nanoTime() - confirmTimeout.toNanos());
        } catch (RuntimeException e) {
            log.error("Could not watch over the connection to RabbitMQ", e);
        }
    }

    private void watch(long overdue) {
        Link link = writer.link();
        List<Outgoing> wave = current;
        boolean stuck = wave != null && isOverdue(wave, overdue);
        if (link != null && !link.isCut() && (stuck || link.waitsSince(overdue))) {
            String reason = "RabbitMQ did not confirm within " + confirmTimeout;
            log.warn("{}: the connection is thrown away", reason);
            link.cut(reason);
        }
        PublishResult late = PublishResult.unavailable("Could not be sent to RabbitMQ within " + confirmTimeout);
        if (wave != null && stuck) {
            wave.forEach(message -> message.answer(late));
        }
        for (List<Outgoing> queued : waves) {
            if (isOverdue(queued, overdue)) {
                queued.forEach(message -> message.answer(late));
            }
        }
    }

    private static boolean isOverdue(List<Outgoing> wave, long overdue) {
        return !wave.isEmpty() && wave.get(0).acceptedBefore(overdue);
    }

    private void answerQueued(PublishResult result) {
        for (List<Outgoing> wave = waves.poll(); wave != null; wave = waves.poll()) {
            wave.forEach(message -> message.answer(result));
        }
    }

    List<String> warnings() {
        return writer.warnings();
    }

    long restarts() {
        return writing.restarts() + watching.restarts();
    }

    /** Answers everything that has no answer yet. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (!started) {
                return;
            }
        }
        answerQueued(CLOSED);
        watching.interrupt();
        // Not interrupted: the client does not expect it everywhere. An empty wave wakes it as well.
        waves.add(List.of());
        if (!writing.end(JOIN)) {
            giveUp(String.valueOf(CLOSED.error()));
            writing.end(JOIN);
        }
        answerQueued(CLOSED);
    }
}
