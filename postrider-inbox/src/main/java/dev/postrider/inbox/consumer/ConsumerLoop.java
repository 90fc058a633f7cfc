package dev.postrider.inbox.consumer;

import dev.postrider.inbox.InboxBatchHandler;
import dev.postrider.inbox.InboxBatchResult;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.ErrorText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives, hands over to the inbox, acknowledges. Whatever fails is tried again after a pause; only {@link #stop} ends
 * it.
 */
final class ConsumerLoop<T> implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ConsumerLoop.class);

    private static final Duration IDLE = Duration.ofMillis(200);
    // The broker must hear from us, and lanes that are empty want to be filled, while others have much to do.
    private static final long TURN = Duration.ofMillis(100).toNanos();
    // Few, because the broker waits meanwhile.
    private static final int RELEASED_AT_A_TIME = 10;
    private static final int MOST_WAITING = 20;

    private final ConsumerSettings settings;
    private final Function<T, Object> laneOf;
    private final ConsumerSession.Opener<T> opener;
    private final boolean looksForReleased;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private long lookedForReleased = System.nanoTime();
    private volatile long begun;
    private volatile Status status = Status.NOT_CONNECTED;
    private boolean proven;

    /** How the loop was at the end of its last turn, or when it had received for the first time. */
    record Status(
            boolean connected,
            boolean assigned,
            int inHand,
            List<String> waiting,
            OptionalLong lag,
            @Nullable String failure) {

        private static final Status NOT_CONNECTED = notConnected(null);

        static Status notConnected(@Nullable String failure) {
            return new Status(false, false, 0, List.of(), OptionalLong.empty(), failure);
        }
    }

    ConsumerLoop(
            ConsumerSettings settings,
            Function<T, Object> laneOf,
            ConsumerSession.Opener<T> opener,
            boolean looksForReleased) {
        this.settings = settings;
        this.laneOf = laneOf;
        this.opener = opener;
        this.looksForReleased = looksForReleased;
    }

    @Override
    public void run() {
        int failures = 0;
        while (isRunning()) {
            ConsumerLanes<T> lanes = new ConsumerLanes<>(laneOf, settings.delays, System::nanoTime);
            proven = false;
            try (ConsumerSession<T> session = opener.open(lanes)) {
                stay(session, lanes);
                failures = 0;
            } catch (Exception e) {
                failures = proven ? 1 : failures + 1;
                broke(e, failures);
            } catch (Error e) {
                // The thread runs this again.
                status = Status.notConnected(ErrorText.of(e));
                throw e;
            }
        }
        status = Status.NOT_CONNECTED;
    }

    private boolean isRunning() {
        return stopped.getCount() > 0;
    }

    /** Lets the message under way be the last one. */
    void stop() {
        stopped.countDown();
    }

    Status status() {
        return status;
    }

    /** Returns how long the handler that is under way has been running. */
    Duration underWay() {
        long since = begun;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    private void stay(ConsumerSession<T> session, ConsumerLanes<T> lanes) throws IOException {
        String failure = null;
        while (isRunning()) {
            session.receive(lanes.idleFor(IDLE));
            if (!proven) {
                // The first handler may take its time.
                status = status(session, lanes, List.of(), null);
            }
            String failed = work(session, lanes);
            lookForReleased();
            List<T> waiting = lanes.waiting();
            failure = waiting.isEmpty() ? null : failed == null ? failure : failed;
            status = status(session, lanes, places(session, waiting), failure);
            proven = true;
        }
    }

    private Status status(
            ConsumerSession<T> session, ConsumerLanes<T> lanes, List<String> places, @Nullable String failure) {
        return new Status(true, session.assigned(), lanes.size(), places, session.lag(), failure);
    }

    private List<String> places(ConsumerSession<T> session, List<T> waiting) {
        return waiting.stream()
                .limit(MOST_WAITING)
                .map(each -> session.message(each).source().orElse(""))
                .toList();
    }

    private void broke(Throwable error, int failures) {
        if (!isRunning()) {
            log.debug("Consumer {} ends", settings.consumer, error);
            return;
        }
        String text = ErrorText.of(error);
        if (Integer.bitCount(failures) == 1) {
            log.warn("Consumer {} has to connect anew and goes on trying: {}", settings.consumer, text);
        }
        status = Status.notConnected(text);
        try {
            Duration pause = settings.delays.delayAfter(failures, ThreadLocalRandom.current());
            boolean unused = stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Whoever wants it to end calls stop.
            log.debug("Consumer {} was interrupted", settings.consumer, e);
        }
    }

    /** Returns what the last failure said. */
    private @Nullable String work(ConsumerSession<T> session, ConsumerLanes<T> lanes) throws IOException {
        String failure = null;
        long start = System.nanoTime();
        while (isRunning() && System.nanoTime() - start < TURN) {
            List<T> next = lanes.next(settings.batchSize);
            if (next.isEmpty()) {
                break;
            }
            String failed = handle(session, lanes, next);
            failure = failed == null ? failure : failed;
        }
        return failure;
    }

    private @Nullable String handle(ConsumerSession<T> session, ConsumerLanes<T> lanes, List<T> next)
            throws IOException {
        List<ReceivedMessage> messages = next.stream().map(session::message).toList();
        List<T> done = new ArrayList<>();
        String failure = null;
        begun = System.nanoTime();
        try {
            failure = process(next, messages, done);
        } catch (Throwable e) {
            // Of a handler that threw an Error nothing is committed either.
            failure = ErrorText.of(e);
        } finally {
            begun = 0;
        }
        done.forEach(lanes::remove);
        session.acknowledge(done);
        if (done.size() < next.size()) {
            next.stream()
                    .filter(each -> !done.contains(each))
                    .map(laneOf)
                    .distinct()
                    .forEach(lane -> {
                        T first = lanes.first(lane).orElseThrow();
                        report(session.message(first), lanes.failed(first));
                    });
        }
        return failure;
    }

    private @Nullable String process(List<T> next, List<ReceivedMessage> messages, List<T> done) {
        InboxBatchHandler batch = settings.batchHandler;
        if (batch == null) {
            ReceivedMessage message = messages.get(0);
            ReceivedHandler handler = settings.single();
            settings.inbox.process(message, settings.consumer, transaction -> {
                check(message);
                handler.handle(message, transaction);
                return null;
            });
            done.addAll(next);
            return null;
        }
        String failure = null;
        List<InboxBatchResult.Entry> entries = settings.inbox
                .processBatch(settings.consumer, messages, checked(batch))
                .entries();
        for (int i = 0; i < next.size(); i++) {
            if (entries.get(i).acknowledged()) {
                done.add(next.get(i));
            } else {
                Throwable cause = entries.get(i).failure();
                failure = cause == null ? failure : ErrorText.of(cause);
            }
        }
        return failure;
    }

    // As the handler's failure it is counted, and parked with its reason. One that an operator releases is not checked.
    private static void check(ReceivedMessage message) {
        ReceivedHeaders.of(message.headers()).check();
    }

    private static InboxBatchHandler checked(InboxBatchHandler batch) {
        return (messages, transaction) -> {
            messages.forEach(ConsumerLoop::check);
            batch.handle(messages, transaction);
        };
    }

    private void report(ReceivedMessage message, int failures) {
        // The text of the error is the inbox's to keep: it may hold what nobody should read in a log.
        if (Integer.bitCount(failures) == 1) {
            log.warn(
                    "Consumer {} could not handle message {} from {} ({} times in a row); it waits and is tried again",
                    settings.consumer,
                    ErrorText.clean(message.id().orElse("without id")),
                    ErrorText.clean(message.source().orElse("")),
                    failures);
        }
    }

    private void lookForReleased() {
        long now = System.nanoTime();
        if (!looksForReleased || now - lookedForReleased < settings.releasedEvery.toNanos()) {
            return;
        }
        lookedForReleased = now;
        try {
            int handled = settings.inbox.processReleased(settings.consumer, RELEASED_AT_A_TIME, settings.single());
            if (handled == RELEASED_AT_A_TIME) {
                // There may be more: look again in the next turn.
                lookedForReleased = now - settings.releasedEvery.toNanos();
            }
        } catch (RuntimeException e) {
            log.warn("Consumer {} could not handle released messages: {}", settings.consumer, ErrorText.of(e));
        }
    }
}
