package dev.postrider.verification.simulator;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.testkit.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applications that write. A key is written by one transaction at a time, as the row lock of a business entity would
 * have it; everything else overlaps, so rows become visible in another order than their sequence.
 */
final class Producers {

    private final Simulation simulation;
    private final Scheduler scheduler;
    private final Plan plan;
    private final Dice dice;
    private final boolean[] locked;
    private int planned;
    private int open;
    private boolean killerPlanned;

    // As with auto_increment_increment: sequences between two messages are never used.
    private final int skipped;

    /** One business transaction. */
    private static final class Work {
        private final InMemoryTransaction transaction;
        private final List<Integer> keys = new ArrayList<>();
        private final List<PlannedMessage> messages = new ArrayList<>();

        private Work(InMemoryTransaction transaction) {
            this.transaction = transaction;
        }
    }

    Producers(Simulation simulation, Dice dice) {
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.plan = simulation.plan();
        this.dice = dice;
        this.locked = new boolean[plan.keys()];
        this.skipped = dice.permille(200) ? dice.between(1, 4) : 0;
    }

    void start() {
        for (int i = 0; i < plan.producers(); i++) {
            scheduler.after(dice.millis(0, 400), this::begin);
        }
    }

    boolean isDone() {
        return open == 0 && planned >= plan.messages();
    }

    private void begin() {
        if (planned >= plan.messages()) {
            return;
        }
        open++;
        enqueue(new Work(simulation.begin()), dice.between(1, 3));
    }

    private void enqueue(Work work, int left) {
        PlannedMessage message = message(work);
        try {
            Receipt receipt = work.transaction.enqueue(message.message());
            if (receipt.inserted()) {
                work.messages.add(message);
            }
            skip();
        } catch (OutboxException e) {
            // Another open transaction has this dedupe key: a thread would wait for it, this one gives up.
            end(work, false);
            return;
        }
        if (left > 1 && planned < plan.messages()) {
            scheduler.after(dice.permille(700) ? 0 : dice.millis(0, 60), () -> enqueue(work, left - 1));
        } else {
            scheduler.after(hold(), () -> end(work, !dice.permille(120)));
        }
    }

    private void skip() {
        InMemoryTransaction transaction = simulation.begin();
        for (int i = 0; i < skipped; i++) {
            transaction.enqueue(OutboxMessage.to(Plan.PARKED, "skipped")
                    .id(new UUID(plan.seed(), -i - 1))
                    .version(PlannedMessage.FILLER)
                    .payload(new byte[1])
                    .build());
        }
        transaction.rollback();
    }

    private long hold() {
        int roll = dice.between(1, 1_000);
        return roll <= 600
                ? dice.millis(0, 5)
                : roll <= 900 ? dice.millis(5, 300) : dice.millis(300, roll > 994 ? 11_500 : 2_000);
    }

    private void end(Work work, boolean commit) {
        open--;
        if (commit) {
            work.transaction.commit();
            work.messages.forEach(simulation.observer()::committed);
            work.messages.stream()
                    .filter(message -> message.nature() == PlannedMessage.Nature.DAMAGED)
                    .forEach(simulation::damage);
        } else {
            work.transaction.rollback();
            work.messages.forEach(
                    message -> simulation.observer().note(Fact.Kind.ROLLED_BACK, Fact.NOBODY, message.number(), ""));
        }
        work.keys.forEach(key -> locked[key] = false);
        scheduler.after(dice.millis(0, 500), this::begin);
    }

    private PlannedMessage message(Work work) {
        int number = ++planned;
        String topic = dice.pick(Plan.TOPICS);
        String key = key(work);
        boolean delayed = dice.permille(70);
        PlannedMessage.Nature nature = nature();
        OutboxMessage.Builder builder = OutboxMessage.to(topic, "thing.happened")
                .key(key)
                .version(number)
                .payload(payload(number))
                .header("number", String.valueOf(number));
        if (delayed) {
            builder.deliverAfter(Duration.ofNanos(dice.millis(1, 1_500)));
        }
        if (dice.permille(60)) {
            builder.dedupeKey("once-" + dice.between(1, 4));
        } else {
            builder.id(new UUID(plan.seed(), number));
        }
        OutboxMessage message = builder.build();
        PlannedMessage result = new PlannedMessage(
                number, topic, key, key != null && !delayed, nature, PlannedMessage.contentOf(message), message);
        simulation.history().plan(result);
        return result;
    }

    private byte[] payload(int number) {
        byte[] payload = new byte[8 + number % 5];
        Arrays.fill(payload, (byte) number);
        return payload;
    }

    private @Nullable String key(Work work) {
        if (dice.permille(120)) {
            return null;
        }
        int key = dice.between(0, plan.keys() - 1);
        if (work.keys.contains(key)) {
            return "key-" + key;
        }
        if (locked[key]) {
            // Waiting for the lock could deadlock with another transaction; write something unrelated instead.
            return null;
        }
        locked[key] = true;
        work.keys.add(key);
        return "key-" + key;
    }

    private PlannedMessage.Nature nature() {
        if (plan.kind() == Plan.Kind.GRACEFUL) {
            return PlannedMessage.Nature.GOOD;
        }
        int roll = dice.between(1, 1_000);
        boolean kills = plan.kind() == Plan.Kind.KILLER ? roll <= 80 || planned == plan.messages() : roll <= 3;
        if (kills && !killerPlanned) {
            killerPlanned = true;
            return PlannedMessage.Nature.KILLER;
        }
        if (plan.kind() == Plan.Kind.KILLER) {
            return PlannedMessage.Nature.GOOD;
        }
        return roll > 975
                ? PlannedMessage.Nature.FAILS
                : roll > 955
                        ? PlannedMessage.Nature.REJECTED
                        : roll > 940 ? PlannedMessage.Nature.DAMAGED : PlannedMessage.Nature.GOOD;
    }
}
