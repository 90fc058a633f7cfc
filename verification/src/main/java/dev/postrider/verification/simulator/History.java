package dev.postrider.verification.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Everything that happened in one simulation, in order; only ever added to. */
final class History {

    private final Plan plan;
    private final List<PlannedMessage> messages = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>(1_024);

    History(Plan plan) {
        this.plan = plan;
    }

    Plan plan() {
        return plan;
    }

    void plan(PlannedMessage message) {
        messages.add(message);
    }

    void add(Fact fact) {
        facts.add(fact);
    }

    List<Fact> facts() {
        return Collections.unmodifiableList(facts);
    }

    List<PlannedMessage> messages() {
        return Collections.unmodifiableList(messages);
    }

    /** Numbers begin with 1, as versions do. */
    PlannedMessage message(int number) {
        return messages.get(number - 1);
    }

    /** Equal for equal histories. */
    long hash() {
        long hash = 0xcbf29ce484222325L;
        for (Fact fact : facts) {
            hash = mix(hash, fact.at());
            hash = mix(hash, fact.kind().name().hashCode());
            hash = mix(hash, fact.node() * 1_000_003L + fact.message());
            hash = mix(hash, fact.a());
            hash = mix(hash, fact.b());
            hash = mix(hash, fact.text().hashCode());
            Change change = fact.change();
            if (change != null) {
                hash = mix(hash, change.from().name().hashCode());
                hash = mix(hash, String.valueOf(change.to()).hashCode());
                hash = mix(hash, change.attemptsFrom() * 1_000_003L + change.attemptsTo());
            }
        }
        return hash;
    }

    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 29;
    }
}
