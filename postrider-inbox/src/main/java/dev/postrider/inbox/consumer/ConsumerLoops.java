package dev.postrider.inbox.consumer;

import dev.postrider.inbox.consumer.ConsumerHealth.State;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a consumer, each with a stay at the broker of its own. Thread-safe.
 *
 * @param <T> a message in the words of the broker's client
 */
public final class ConsumerLoops<T> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConsumerLoops.class);

    private final ConsumerSettings settings;
    private final List<ConsumerLoop<T>> loops;
    private List<SupervisedThread> threads = List.of();
    private @Nullable State idle = State.NEW;

    /** Starts nothing. The openers are numbered from 1; {@code laneOf} says which messages have to be in order. */
    public ConsumerLoops(
            ConsumerSettings settings, Function<T, Object> laneOf, IntFunction<ConsumerSession.Opener<T>> openers) {
        this.settings = settings;
        this.loops = IntStream.rangeClosed(1, settings.threads)
                .mapToObj(number -> new ConsumerLoop<>(settings, laneOf, openers.apply(number), number == 1))
                .toList();
    }

    /** Starts the threads. */
    public synchronized void start() {
        if (idle != State.NEW) {
            throw new IllegalStateException("Consumer %s was started before".formatted(settings.consumer));
        }
        idle = null;
        threads = IntStream.range(0, loops.size())
                .mapToObj(
                        i -> new SupervisedThread("inbox-%s-%d".formatted(settings.consumer, i + 1), loops.get(i)::run))
                .toList();
        threads.forEach(SupervisedThread::start);
        log.info("Consumer {} started with {} threads", settings.consumer, threads.size());
    }

    /** Says how the consumer is. */
    public synchronized ConsumerHealth health() {
        List<ConsumerLoop.Status> all = loops.stream().map(ConsumerLoop::status).toList();
        return new ConsumerHealth(
                state(all),
                idle != null || threads.stream().allMatch(SupervisedThread::isAlive),
                all.stream().mapToInt(ConsumerLoop.Status::inHand).sum(),
                all.stream().flatMap(each -> each.waiting().stream()).toList(),
                loops.stream()
                        .map(ConsumerLoop::underWay)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO),
                lag(all),
                all.stream()
                        .flatMap(each -> Stream.ofNullable(each.failure()))
                        .findFirst()
                        .orElse(null),
                threads.stream().mapToLong(SupervisedThread::restarts).sum());
    }

    private State state(List<ConsumerLoop.Status> all) {
        if (idle != null) {
            return idle;
        }
        return all.stream().allMatch(ConsumerLoop.Status::connected) ? State.RUNNING : State.CONNECTING;
    }

    private static OptionalLong lag(List<ConsumerLoop.Status> all) {
        return all.stream()
                .map(ConsumerLoop.Status::lag)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .reduce(Long::sum);
    }

    /** Lets the handlers under way end, acknowledges what is done, and leaves the broker. */
    @Override
    public void close() {
        List<SupervisedThread> ending;
        synchronized (this) {
            if (idle == State.CLOSED) {
                return;
            }
            idle = State.CLOSED;
            ending = threads;
        }
        loops.forEach(ConsumerLoop::stop);
        long deadline = System.nanoTime() + settings.closeTimeout.toNanos();
        for (SupervisedThread thread : ending) {
            join(thread, deadline);
        }
        log.info("Consumer {} is closed", settings.consumer);
    }

    private void join(SupervisedThread thread, long deadline) {
        if (!thread.end(Duration.ofNanos(deadline - System.nanoTime()))) {
            log.warn("{} did not end within {} and is interrupted", thread.name(), settings.closeTimeout);
            thread.interrupt();
        }
    }
}
