package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The way from one process to the store: calls take time, fail before their effect, or lose their answer after it. */
final class FaultyStore extends ForwardingStore {

    private final RelayProcess process;
    private final Weather weather;
    private final Observer observer;
    private final Plan plan;
    private final Dice dice;

    FaultyStore(OutboxStore store, RelayProcess process, Simulation simulation, Dice dice) {
        super(store);
        this.process = process;
        this.weather = simulation.weather();
        this.observer = simulation.observer();
        this.plan = simulation.plan();
        this.dice = dice;
    }

    private <T> T call(String name, Supplier<T> effect) {
        try {
            process.pass(process.latency(dice));
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
        process.pass(process.latency(dice));
        if (fails) {
            observer.note(Fact.Kind.ANSWER_LOST, process.number(), Fact.NOBODY, name);
            throw new SimulatedFailure("Answer lost: " + name);
        }
        return result;
    }

    private void run(String name, Runnable effect) {
        boolean done = call(name, () -> {
            effect.run();
            return true;
        });
        assert done;
    }

    @Override
    public Outlook look(long after, int limit, List<SeqRange> gaps) {
        return call("look", () -> super.look(after, limit, gaps));
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        return call("claim", () -> super.claim(request, range));
    }

    @Override
    public Sighting lookAndClaim(ClaimRequest request, SeqRange range) {
        return call("claim after a look", () -> store.lookAndClaim(request, range));
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return call("claimWaiting", () -> super.claimWaiting(request));
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        boolean dead = outcomes.stream().anyMatch(s -> s.outcome() == Settlement.Outcome.DEAD);
        boolean plain = outcomes.stream()
                .allMatch(s -> s.outcome() == Settlement.Outcome.DELIVERED
                        && !s.claimed().held());
        if (plain) {
            return call("settle", () -> super.settle(outcomes));
        }
        return process.inOrder(() -> call("settle", () -> {
            if (dead && weather.isDeadRefused(observer.now())) {
                throw new SimulatedFailure("Refused: dead");
            }
            return super.settle(outcomes);
        }));
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        return call("extend", () -> super.extend(claims, claimFor));
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
    public Membership renew(String relay, Duration ownFor) {
        return call("renew", () -> super.renew(relay, ownFor));
    }

    @Override
    public List<OwnedShard> acquire(String relay, Set<Integer> shards) {
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
