package dev.postrider.verification.simulator;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Brings the table into a situation at the limits and then commits fresh messages, one after another. */
final class LimitProducers {

    private static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
    private static final String OPEN = "mail";
    private static final String CLOSED = "orders";
    private static final long EVERY = Duration.ofMillis(250).toNanos();
    private static final int PROBES = 20;

    private final Simulation simulation;
    private final InMemoryOutboxStore store;
    private final Limits limits;
    private final Dice dice;
    private int planned;
    private int fillers;
    private int open;

    LimitProducers(Simulation simulation, InMemoryOutboxStore store, Dice dice) {
        this.simulation = simulation;
        this.store = store;
        this.limits = simulation.plan().limits();
        this.dice = dice;
    }

    boolean isDone() {
        return planned >= PROBES && open == 0;
    }

    void start() {
        switch (limits.situation()) {
            case HOLES -> holes();
            case HELD_KEYS -> heldKeys();
            case CLOSED_TOPIC -> closedTopic();
            case LOCKED_ROWS -> lockedRows();
            case SUSPECTS -> suspects();
            case LATE_COMMIT -> simulation.scheduler().after(limits.warmUp(), this::lateCommit);
            case NOTHING, SLOW_HEARTBEATS, DELAYED_PAIRS, SILENCE -> {}
        }
        simulation.scheduler().after(limits.warmUp(), this::probe);
    }

    private void holes() {
        InMemoryTransaction first = store.begin();
        filler(first, OPEN, null, Duration.ZERO);
        InMemoryTransaction committed = store.begin();
        InMemoryTransaction rolledBack = store.begin();
        for (int i = 0; i < limits.amount() / 2; i++) {
            filler(committed, OPEN, null, Duration.ZERO);
            filler(rolledBack, OPEN, null, Duration.ZERO);
        }
        committed.commit();
        rolledBack.rollback();
    }

    private void heldKeys() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < limits.amount(); i++) {
            filler(transaction, CLOSED, "held-" + i, Duration.ZERO);
            filler(transaction, CLOSED, "held-" + i, Duration.ZERO);
        }
        transaction.commit();
        List<FetchedRow> rows = fetchAll("dead", Duration.ofHours(1));
        List<Settlement> outcomes = new ArrayList<>();
        for (int i = 0; i < rows.size(); i += 2) {
            outcomes.add(Settlement.dead(rows.get(i).claimed(), "always fails", true));
            outcomes.add(
                    Settlement.behind(rows.get(i + 1).claimed(), rows.get(i).seq()));
        }
        int written = store.settle(outcomes).written();
        if (written != outcomes.size()) {
            throw new IllegalStateException("Wrote %d of %d outcomes".formatted(written, outcomes.size()));
        }
        store.leave("dead");
    }

    private void closedTopic() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < limits.amount(); i++) {
            filler(transaction, CLOSED, "closed-" + i, Duration.ZERO);
            filler(transaction, CLOSED, "later-" + i, Duration.ofMillis(1));
        }
        transaction.commit();
        simulation.weather().topicDown(CLOSED, Long.MAX_VALUE);
    }

    private void lockedRows() {
        InMemoryTransaction transaction = store.begin();
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < limits.amount(); i++) {
            ids.add(filler(transaction, OPEN, "locked-" + i, Duration.ZERO));
        }
        transaction.commit();
        for (UUID id : ids) {
            simulation.weather().lock(store.find(id).orElseThrow().seq(), Long.MAX_VALUE);
        }
    }

    private void suspects() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < limits.amount(); i++) {
            filler(transaction, OPEN, null, Duration.ZERO);
        }
        transaction.commit();
        for (String dying : List.of("first", "second")) {
            int inFlight = fetchAll(dying, Duration.ofNanos(1)).size();
            if (inFlight != limits.amount()) {
                throw new IllegalStateException("Fetched %d of %d messages".formatted(inFlight, limits.amount()));
            }
            simulation.scheduler().runUntil(simulation.scheduler().now() + 10);
        }
        store.renew("heir", Duration.ofHours(1));
        int lost = store.acquire("heir", ALL_SHARDS).lostClaims();
        if (lost != limits.amount()) {
            throw new IllegalStateException("%d of %d messages were in flight".formatted(lost, limits.amount()));
        }
        store.leave("heir");
    }

    private List<FetchedRow> fetchAll(String relay, Duration ownFor) {
        store.renew(relay, ownFor);
        Map<Integer, Long> epochs = store.acquire(relay, ALL_SHARDS).shards().stream()
                .collect(Collectors.toMap(OwnedShard::shard, OwnedShard::epoch));
        ClaimSize all = new ClaimSize(Integer.MAX_VALUE, Long.MAX_VALUE);
        FetchRequest request =
                new FetchRequest(relay, epochs, TopicFilter.ALL, all, Set.of(), relay.hashCode(), Set.of());
        FetchedPage page = store.fetch(request, SeqRange.above(0), Integer.MAX_VALUE);
        return page.rows();
    }

    private void lateCommit() {
        open++;
        InMemoryTransaction transaction = store.begin();
        PlannedMessage message = enqueue(transaction, "late", Duration.ZERO);
        simulation.scheduler().after(Limits.LATE.toNanos(), () -> {
            open--;
            transaction.commit();
            simulation.observer().committed(message);
        });
    }

    private void probe() {
        if (planned >= PROBES && open == 0) {
            return;
        }
        boolean pair = limits.situation() == Limits.Situation.DELAYED_PAIRS;
        boolean delayed = pair || (limits.situation() == Limits.Situation.CLOSED_TOPIC && dice.permille(500));
        Duration delay = delayed ? Duration.ofNanos(dice.millis(50, 1_500)) : Duration.ZERO;
        String key = dice.permille(200) && !pair ? null : "probe-" + planned;
        InMemoryTransaction transaction = store.begin();
        List<PlannedMessage> messages = new ArrayList<>();
        messages.add(enqueue(transaction, key, delay));
        if (pair) {
            rollBack(limits.amount());
            messages.add(enqueue(transaction, key, delay.plusNanos(dice.millis(0, 2))));
        }
        transaction.commit();
        messages.forEach(simulation.observer()::committed);
        // While a transaction is open for a minute there is some traffic beside it.
        simulation.scheduler().after(planned < PROBES ? EVERY : 8 * EVERY, this::probe);
    }

    private void rollBack(int sequences) {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < sequences; i++) {
            filler(transaction, OPEN, null, Duration.ZERO);
        }
        transaction.rollback();
    }

    private UUID filler(InMemoryTransaction transaction, String topic, @Nullable String key, Duration delay) {
        UUID id = new UUID(simulation.plan().seed(), - ++fillers);
        OutboxMessage.Builder builder = OutboxMessage.to(topic, "filler")
                .id(id)
                .key(key)
                .version(PlannedMessage.FILLER)
                .payload(new byte[8]);
        if (!delay.isZero()) {
            builder.deliverAfter(delay);
        }
        transaction.enqueue(builder.build());
        return id;
    }

    private PlannedMessage enqueue(InMemoryTransaction transaction, @Nullable String key, Duration delay) {
        int number = ++planned;
        OutboxMessage.Builder builder = OutboxMessage.to(OPEN, "thing.happened")
                .id(new UUID(simulation.plan().seed(), number))
                .key(key)
                .version(number)
                .payload(new byte[8 + number % 5]);
        if (!delay.isZero()) {
            builder.deliverAfter(delay);
        }
        OutboxMessage message = builder.build();
        PlannedMessage result = new PlannedMessage(
                number,
                OPEN,
                key,
                key != null && delay.isZero(),
                PlannedMessage.Nature.GOOD,
                PlannedMessage.contentOf(message),
                message);
        simulation.history().plan(result);
        transaction.enqueue(message);
        return result;
    }
}
