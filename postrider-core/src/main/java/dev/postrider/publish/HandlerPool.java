package dev.postrider.publish;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.thread.WorkerPool;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one handler on threads of its own. Messages stand in lanes; the first of a lane runs or waits for a thread, the
 * others wait for it. A message that has waited for too long is given back and will not run. Thread-safe.
 */
final class HandlerPool {

    private static final Logger log = LoggerFactory.getLogger(HandlerPool.class);
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final TopicPattern topics;
    private final MessageHandler handler;
    private final HandlerSettings settings;
    private final LongSupplier nanoTime;
    private final WorkerPool threads;
    private final Map<HandlerTask.Lane, Deque<HandlerTask>> lanes = new HashMap<>();
    private boolean closed;
    private volatile boolean interrupted;

    HandlerPool(TopicPattern topics, MessageHandler handler, HandlerSettings settings, LongSupplier nanoTime) {
        this.topics = topics;
        this.handler = handler;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.threads = new WorkerPool("outbox-handler-" + topics, settings.threads(), IDLE);
    }

    /** Queues the message for its handler and answers for it later. Never blocks. */
    void accept(ClaimedMessage claimed, PublishAnswers answers) {
        HandlerTask task = new HandlerTask(claimed, answers, this, nanoTime.getAsLong());
        if (!enter(task)) {
            task.answer(PublishResult.unavailable(HandlerPublisher.CLOSED));
        }
    }

    private synchronized boolean enter(HandlerTask task) {
        if (closed) {
            return false;
        }
        Deque<HandlerTask> lane = lanes.computeIfAbsent(task.lane, l -> new ArrayDeque<>());
        lane.add(task);
        if (lane.size() == 1) {
            threads.execute(task);
        }
        return true;
    }

    // The one place that catches everything: a message without an answer would be blamed for its silence.
    void run(HandlerTask task) {
        if (!begin(task)) {
            return;
        }
        try {
            handler.handle(task.delivery);
            task.answer(PublishResult.acked());
        } catch (Throwable e) {
            task.answer(settings.verdict().of(e, interrupted));
            if (HandlerVerdict.isFatal(e)) {
                throw (Error) e;
            }
        } finally {
            end(task);
        }
    }

    private synchronized boolean begin(HandlerTask task) {
        Deque<HandlerTask> lane = lanes.get(task.lane);
        // A thread may have taken it in the moment it was given back.
        if (lane == null || lane.peek() != task) {
            return false;
        }
        task.running = true;
        task.begunNanos = nanoTime.getAsLong();
        return true;
    }

    private synchronized void end(HandlerTask task) {
        Deque<HandlerTask> lane = lanes.get(task.lane);
        if (lane == null) {
            return;
        }
        lane.remove(task);
        if (lane.isEmpty()) {
            lanes.remove(task.lane);
        } else {
            threads.execute(lane.element());
        }
    }

    /** Gives back messages that have waited for too long and reports slow handlers. */
    void inspect() {
        giveBack(
                unserved(),
                "No thread of %d was free for %s within %s".formatted(settings.threads(), topics, settings.maxWait()));
        outrun().forEach(task ->
                task.answer(PublishResult.failed("Waited %s for an earlier message of its key, whose handler still runs"
                        .formatted(settings.maxWait()))));
        newlySlow()
                .forEach(task -> log.warn(
                        "The handler of {} has been running for {} with message {}; {} of {} threads are held like this",
                        topics,
                        settings.slowAfter(),
                        task.delivery.message().id(),
                        slow(),
                        settings.threads()));
    }

    // The topic is overloaded, no message is to blame. The whole lane goes back, or its order would be lost.
    private synchronized List<HandlerTask> unserved() {
        List<HandlerTask> unserved = new ArrayList<>();
        Iterator<Deque<HandlerTask>> each = lanes.values().iterator();
        while (each.hasNext()) {
            Deque<HandlerTask> lane = each.next();
            HandlerTask first = lane.element();
            if (!first.running && isOver(first.acceptedNanos, settings.maxWait())) {
                threads.remove(first);
                unserved.addAll(lane);
                each.remove();
            }
        }
        return unserved;
    }

    // The key is stuck, the topic is not: only a failure of the message leaves the other keys alone.
    private synchronized List<HandlerTask> outrun() {
        List<HandlerTask> outrun = new ArrayList<>();
        for (Deque<HandlerTask> lane : lanes.values()) {
            if (lane.element().running) {
                lane.stream()
                        .skip(1)
                        .filter(task -> isOver(task.acceptedNanos, settings.maxWait()))
                        .forEach(outrun::add);
            }
        }
        outrun.forEach(task -> lane(task).remove(task));
        return outrun;
    }

    /** Returns the tasks that became slow since the last call. */
    synchronized List<HandlerTask> newlySlow() {
        List<HandlerTask> slow = slowTasks().filter(task -> !task.reportedSlow).toList();
        slow.forEach(task -> task.reportedSlow = true);
        return slow;
    }

    long restarts() {
        return threads.restarts();
    }

    /** Returns how many threads have been in one handler for longer than they should. */
    synchronized int slow() {
        return (int) slowTasks().count();
    }

    private Stream<HandlerTask> slowTasks() {
        return lanes.values().stream()
                .map(Deque::element)
                .filter(task -> task.running && isOver(task.begunNanos, settings.slowAfter()));
    }

    private Deque<HandlerTask> lane(HandlerTask task) {
        return lanes.getOrDefault(task.lane, new ArrayDeque<>());
    }

    private boolean isOver(long sinceNanos, Duration time) {
        return nanoTime.getAsLong() - sinceNanos > time.toNanos();
    }

    /** Accepts no more messages and gives back those that do not run yet. */
    void stop() {
        List<HandlerTask> waiting = new ArrayList<>();
        synchronized (this) {
            closed = true;
            threads.shutdown();
            threads.getQueue().clear();
            lanes.values()
                    .forEach(lane -> lane.stream().filter(task -> !task.running).forEach(waiting::add));
            lanes.values().forEach(lane -> lane.removeIf(task -> !task.running));
            lanes.values().removeIf(Collection::isEmpty);
        }
        giveBack(waiting, HandlerPublisher.CLOSED);
    }

    /** Waits until no handler runs, for a bounded time. */
    void await(long deadlineNanos) throws InterruptedException {
        if (!threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            log.debug("A handler of {} still runs", topics);
        }
    }

    /** Interrupts the handlers that still run. */
    void interrupt() {
        interrupted = true;
        threads.shutdownNow();
    }

    /** Answers for the handlers that do not end. */
    void abandon() {
        List<HandlerTask> running;
        synchronized (this) {
            running = lanes.values().stream().flatMap(Deque::stream).toList();
        }
        if (!running.isEmpty()) {
            log.warn("{} handlers of {} ran on after they were interrupted", running.size(), topics);
        }
        giveBack(running, "The publisher was closed while the handler ran");
    }

    private static void giveBack(List<HandlerTask> tasks, String reason) {
        tasks.forEach(task -> task.answer(PublishResult.unavailable(reason)));
    }
}
