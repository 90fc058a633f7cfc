package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Relays in processes of their own that share one outbox and one sink. For one thread. */
final class Crew implements AutoCloseable {

    private static final int HEARTBEATS = 3;

    private final Stage stage;
    private final Sink sink = Sink.open();
    private final Map<String, RelayProcess> working = new LinkedHashMap<>();
    private final Set<String> faulted = new HashSet<>();
    private final List<RelayProcess> all = new ArrayList<>();

    Crew(Stage stage) {
        this.stage = stage;
    }

    /** Starts more relays and waits until every one has its share of the shards. */
    void join(Tenure... tenures) {
        List<RelayProcess> fresh = new ArrayList<>();
        for (Tenure tenure : tenures) {
            RelayProcess process = RelayProcess.launch(stage.database(), sink, tenure);
            fresh.add(process);
            all.add(process);
        }
        fresh.forEach(process -> working.put(process.name(), process));
        awaitBalance();
    }

    /** Waits until all shards are fairly shared among the relays at work. */
    void awaitBalance() {
        await("balance").atMost(RelayProcess.PATIENCE).until(() -> {
            Map<String, Integer> owners = stage.owners();
            int least = Shards.COUNT / working.size();
            return owners.keySet().equals(working.keySet())
                    && owners.values().stream().allMatch(count -> count >= least)
                    && owners.values().stream().mapToInt(count -> count).sum() == Shards.COUNT;
        });
    }

    /** The names of the relays at work, the longest serving first. */
    List<String> names() {
        return List.copyOf(working.keySet());
    }

    RelayProcess process(String name) {
        RelayProcess process = working.get(name);
        if (process == null) {
            throw new IllegalArgumentException(name + " is not at work");
        }
        return process;
    }

    Sink sink() {
        return sink;
    }

    /** Kills a relay with SIGKILL while it has messages at the sink, and returns how long the others took to go on. */
    TakeOver kill(String name) {
        RelayProcess process = process(name);
        TakeOver.Watch watch = watchAtWork(name);
        working.remove(name);
        faulted.add(name);
        long killed = System.nanoTime();
        process.jvm().kill();
        return watch.since(killed);
    }

    /**
     * Freezes a relay with SIGSTOP while it has messages at the sink, and returns how long the others took to go on.
     */
    TakeOver freeze(String name) {
        RelayProcess process = process(name);
        faulted.add(name);
        TakeOver.Watch watch = watchAtWork(name);
        long frozen = System.nanoTime();
        process.jvm().stop();
        sink.confirm(name);
        return watch.since(frozen);
    }

    // The shards are its own until now, so that another relay can only take them after what happens next.
    private TakeOver.Watch watchAtWork(String name) {
        sink.withhold(name);
        await("something unconfirmed").atMost(RelayProcess.PATIENCE).until(() -> sink.unconfirmed(name) > 0);
        return watch(name);
    }

    private TakeOver.Watch watch(String name) {
        Set<Integer> shards = await("shards of " + name)
                .atMost(RelayProcess.PATIENCE)
                .until(() -> stage.shardsOf(name), owned -> !owned.isEmpty());
        return TakeOver.watch(sink.log(), shards, name);
    }

    /** Ends a relay with SIGTERM and returns how long the others took to go on after it had said that it stops. */
    TakeOver terminate(String name) {
        RelayProcess process = process(name);
        TakeOver.Watch watch = watch(name);
        TakeOver takeOver = watch.since(announceStop(name));
        process.jvm().awaitExit(RelayProcess.PATIENCE);
        return takeOver;
    }

    /** As {@link #terminate}, while it has messages at the sink, which confirms them when the relay is stopping. */
    TakeOver terminateAtWork(String name) {
        RelayProcess process = process(name);
        TakeOver.Watch watch = watchAtWork(name);
        long stopping = announceStop(name);
        awaitHeartbeatsOrLeave(name);
        sink.confirm(name);
        TakeOver takeOver = watch.since(stopping);
        process.jvm().awaitExit(RelayProcess.PATIENCE);
        return takeOver;
    }

    private long announceStop(String name) {
        RelayProcess process = process(name);
        working.remove(name);
        process.jvm().terminate();
        return await("announcement")
                .atMost(RelayProcess.PATIENCE)
                .until(() -> Optional.ofNullable(sink.stoppingNanos(name)), Optional::isPresent)
                .orElseThrow();
    }

    // A relay that waits for answers goes on beating; one that did not wait would be gone before they come.
    private void awaitHeartbeatsOrLeave(String name) {
        Set<String> beats = new HashSet<>();
        await("heartbeats of " + name).atMost(RelayProcess.PATIENCE).until(() -> {
            Optional<String> beat = stage.heartbeat(name);
            beat.ifPresent(beats::add);
            return beat.isEmpty() || beats.size() > HEARTBEATS;
        });
    }

    /** Waits until every message of the producers has arrived and its row is DELIVERED or DEAD. */
    void awaitDrained(Producers producers) {
        await("arrivals").atMost(RelayProcess.PATIENCE).until(() -> sink.log().distinct() >= producers.total());
        await("settled rows")
                .atMost(RelayProcess.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> stage.unfinished() == 0);
    }

    /** Compares what was enqueued with what arrived and with the table. */
    Audit audit(Producers producers) {
        return Audit.of(producers.enqueued(), sink.log().arrivals(), stage.rows(), faulted);
    }

    @Override
    public void close() {
        all.forEach(RelayProcess::close);
        sink.close();
    }
}
