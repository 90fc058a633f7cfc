package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntBiFunction;

/** A person at the console. */
final class Operator {

    private static final int ALL = 1_000;
    private static final Decision DECISION = new Decision("operator", "the cause is gone");

    private final Simulation simulation;
    private final OutboxAdmin admin;
    private final RelayAdmin relays;
    private final Dice dice;

    Operator(Simulation simulation, OutboxAdmin admin, RelayAdmin relays, Dice dice) {
        this.simulation = simulation;
        this.admin = admin;
        this.relays = relays;
        this.dice = dice;
    }

    void start() {
        if (simulation.plan().kind() == Plan.Kind.CHAOS) {
            int actions = dice.between(0, 4);
            for (int i = 0; i < actions; i++) {
                scheduleAction();
            }
        }
        // Nothing of this may be noticed but by the time it takes: a hand-over is graceful.
        if (simulation.plan().kind() != Plan.Kind.KILLER && dice.permille(300)) {
            int orders = dice.between(1, 6);
            for (int i = 0; i < orders; i++) {
                long phase = simulation.plan().faultPhase();
                simulation.scheduler().after(dice.random().nextLong(phase), this::control);
            }
        }
    }

    private void control() {
        RelayMode mode = dice.pick(List.of(RelayMode.values()));
        TopicName topic = new TopicName(OutboxMessage.DEFAULT_NAMESPACE, dice.pick(Plan.TOPICS));
        List<KnownRelay> known = relays.relays(ALL);
        int roll = dice.between(1, 10);
        String done;
        if (roll <= 5 && !known.isEmpty()) {
            done = relays.setMode(dice.pick(known).id(), mode, DECISION) ? mode + " of one" : "";
        } else if (roll <= 6) {
            done = relays.setModeOfAll(mode, DECISION) > 0 ? mode + " of all" : "";
        } else if (roll <= 8) {
            done = relays.pauseTopic(topic, DECISION) ? "topic paused" : "";
        } else {
            done = relays.resumeTopic(topic, DECISION) ? "topic resumed" : "";
        }
        if (!done.isEmpty()) {
            simulation.observer().note(Fact.Kind.FAULT, Fact.NOBODY, Fact.NOBODY, done);
        }
    }

    /** Wants nothing but delivery from now on. */
    void resumeAll() {
        relays.setModeOfAll(RelayMode.RUN, DECISION);
        relays.pausedTopics().forEach(each -> relays.resumeTopic(each.topic(), DECISION));
    }

    private void scheduleAction() {
        long phase = simulation.plan().faultPhase();
        simulation.scheduler().after(dice.random().nextLong(phase), this::act);
    }

    private void act() {
        int roll = dice.between(1, 10);
        if (roll <= 4) {
            one(MessageStatus.DEAD, Fact.Kind.REQUEUED, admin::requeue);
        } else if (roll <= 6) {
            one(MessageStatus.DEAD, Fact.Kind.DISCARDED, admin::discard);
        } else if (roll <= 9) {
            one(MessageStatus.DELIVERED, Fact.Kind.REPLAYED, admin::replay);
        } else {
            int purged = admin.purge(Duration.ofMillis(500), dice.between(1, 4), DECISION);
            simulation.observer().look(Fact.NOBODY, "purge");
            if (purged > 0) {
                simulation.observer().note(Fact.Kind.FAULT, Fact.NOBODY, Fact.NOBODY, "purged");
            }
        }
        // A person is slow: what was listed may have changed since.
        if (dice.permille(300)) {
            tryAnything();
        }
    }

    /** Asks for something without looking at the state first; the guards have to refuse what does not fit. */
    private void tryAnything() {
        List<PlannedMessage> messages = simulation.history().messages();
        if (messages.isEmpty()) {
            return;
        }
        PlannedMessage any = dice.pick(messages);
        if (any.message().dedupeKey().isPresent()) {
            return;
        }
        int done = admin.requeue(Set.of(any.message().id()), DECISION);
        noted(any.number(), Fact.Kind.REQUEUED, done);
    }

    /** Clears all that is dead, when everything works again: cured and requeued, or discarded. */
    void clearDead() {
        List<StoredMessage> dead = admin.list(MessageStatus.DEAD, 0, ALL);
        boolean discard = dice.permille(500);
        for (StoredMessage message : dead) {
            int number = PlannedMessage.numberOf(message.message());
            simulation.cure(simulation.history().message(number));
            Set<UUID> ids = Set.of(message.message().id());
            noted(
                    number,
                    discard ? Fact.Kind.DISCARDED : Fact.Kind.REQUEUED,
                    discard ? admin.discard(ids, DECISION) : admin.requeue(ids, DECISION));
        }
    }

    private void one(MessageStatus status, Fact.Kind kind, ToIntBiFunction<Set<UUID>, Decision> action) {
        List<StoredMessage> found = admin.list(status, 0, ALL);
        if (found.isEmpty()) {
            return;
        }
        StoredMessage message = dice.pick(found);
        int number = PlannedMessage.numberOf(message.message());
        if (kind == Fact.Kind.REQUEUED && dice.permille(500)) {
            simulation.cure(simulation.history().message(number));
        }
        noted(number, kind, action.applyAsInt(Set.of(message.message().id()), DECISION));
    }

    private void noted(int number, Fact.Kind kind, int done) {
        if (done > 0) {
            simulation.observer().note(kind, Fact.NOBODY, number, "");
        }
        simulation.observer().look(Fact.NOBODY, "operator");
    }
}
