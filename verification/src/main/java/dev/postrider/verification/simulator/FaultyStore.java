package dev.postrider.verification.simulator;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The way from one process to the store: calls take time, fail before their effect, or lose their answer after it. */
final class FaultyStore extends ForwardingStore {

    private static final long FOR_EVER = Duration.ofMinutes(5).toNanos();

    private final RelayProcess process;
    private final Weather weather;
    private final Observer observer;
    private final Plan plan;
    private final Dice dice;
    private final Limits limits;
    private final Mutant mutant;
    private boolean wasSilent;

    FaultyStore(OutboxStore store, RelayProcess process, Simulation simulation, Dice dice) {
        super(store);
        this.process = process;
        this.weather = simulation.weather();
        this.observer = simulation.observer();
        this.plan = simulation.plan();
        this.dice = dice;
        this.limits = plan.limits();
        this.mutant = simulation.mutant();
    }

    private <T> T call(String name, Supplier<T> effect) {
        // The relay catches whatever a publisher throws, also the death of its own process: it sends nothing more.
        if (!process.isAlive()) {
            throw new ProcessDied();
        }
        silence();
        try {
            process.pass(process.storeLatency(dice));
        } catch (ProcessDied e) {
            // The statement may have been on its way already.
            if (weather.isRough() && dice.permille(500)) {
                Objects.requireNonNull(effect.get());
            }
            throw e;
        }
        if (weather.isStoreDown(observer.now())) {
            throw new SimulatedFailure("The store is down");
        }
        boolean fails = dice.permille(weather.storeFails);
        if (fails && dice.permille(500)) {
            throw new SimulatedFailure("Refused: " + name);
        }
        T result = effect.get();
        process.pass(process.storeLatency(dice));
        if (fails) {
            observer.note(Fact.Kind.ANSWER_LOST, process.number(), Fact.NOBODY, name);
            throw new SimulatedFailure("Answer lost: " + name);
        }
        return result;
    }

    // The other end is gone and the network says nothing of it.
    private void silence() {
        boolean silent = limits.situation() == Limits.Situation.SILENCE && observer.now() > limits.warmUp();
        if (silent && !wasSilent) {
            wasSilent = true;
            process.pass(mutant == Mutant.NO_NETWORK_TIMEOUT ? FOR_EVER : Limits.NETWORK_TIMEOUT.toNanos());
            throw new SimulatedFailure("No answer");
        }
    }

    private void run(String name, Runnable effect) {
        boolean done = call(name, () -> {
            effect.run();
            return true;
        });
        assert done;
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return call("fetch", () -> super.fetch(request, range, rows));
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return call("fetchDue", () -> super.fetchDue(request, after));
    }

    @Override
    public List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        return call("appeared", () -> super.appeared(shards, topics, holes));
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        boolean dead = outcomes.stream().anyMatch(s -> s.outcome() == Settlement.Outcome.DEAD);
        boolean plain = outcomes.stream()
                .allMatch(s -> s.outcome() == Settlement.Outcome.DELIVERED
                        && !s.claimed().held());
        if (plain) {
            return call("settle", () -> settleUnlocked(outcomes));
        }
        return process.inOrder(() -> call("settle", () -> {
            if (dead && weather.isDeadRefused(observer.now())) {
                throw new SimulatedFailure("Refused: dead");
            }
            return settleUnlocked(outcomes);
        }));
    }

    private Settled settleUnlocked(List<Settlement> outcomes) {
        Map<Boolean, List<Settlement>> parts = outcomes.stream().collect(Collectors.partitioningBy(this::isLocked));
        List<Settlement> locked = Objects.requireNonNull(parts.get(true));
        if (mutant == Mutant.SETTLE_WAITS_FOR_LOCKS && !locked.isEmpty()) {
            throw new SimulatedFailure("Lock wait timeout");
        }
        locked.forEach(outcome -> observer.note(
                Fact.Kind.FAULT,
                process.number(),
                PlannedMessage.numberOf(outcome.claimed().message()),
                "row locked"));
        Settled settled = super.settle(Objects.requireNonNull(parts.get(false)));
        List<Settlement> all = new ArrayList<>(settled.locked());
        all.addAll(locked);
        return new Settled(settled.written(), all);
    }

    private boolean isLocked(Settlement outcome) {
        Long holder = outcome.holder();
        return weather.isLocked(outcome.claimed().seq(), observer.now())
                || (holder != null && weather.isLocked(holder, observer.now()));
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        return call("beginTrial", () -> super.beginTrial(claimed));
    }

    // Every second history has a store that cannot list its writers, as MariaDB.
    @Override
    public Optional<Set<Writer>> writers() {
        return call("writers", () -> plan.seed() % 2 == 0 ? super.writers() : Optional.empty());
    }

    @Override
    public void saveGates(String relay, List<ClosedGate> closed) {
        run("saveGates", () -> super.saveGates(relay, closed));
    }

    @Override
    public Unblocked unblock(Set<Integer> shards, long after) {
        return call("unblock", () -> super.unblock(shards, after));
    }

    @Override
    public Membership renew(RelayReport report, Duration ownFor) {
        return call("renew", () -> {
            if (limits.situation() == Limits.Situation.SLOW_HEARTBEATS) {
                process.pass(Duration.ofMillis(limits.amount()).toNanos());
            }
            return super.renew(report, ownFor);
        });
    }

    @Override
    public Acquired acquire(String relay, Set<Integer> shards) {
        return call("acquire", () -> super.acquire(relay, shards));
    }

    @Override
    public void release(String relay, List<OwnedShard> shards) {
        run("release", () -> super.release(relay, shards));
    }

    @Override
    public void leave(String relay) {
        run("leave", () -> super.leave(relay));
    }

    @Override
    public void saveLowWater(String relay, long seq) {
        run("saveLowWater", () -> super.saveLowWater(relay, seq));
    }
}
