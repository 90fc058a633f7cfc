package dev.postrider.verification.simulator;

import dev.postrider.spi.PublishResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I3 and I4: when a message of a key occurs for the first time, every earlier one has occurred, or was discarded, or
 * was parked where the topic says so.
 */
final class OrderRule implements Rule {

    private final History history;
    private final Findings findings;
    private final long timeout;
    private final Map<String, List<PlannedMessage>> lines = new HashMap<>();
    private final Set<Integer> stored = new HashSet<>();
    private final Set<Integer> discarded = new HashSet<>();
    private final Set<Integer> failed = new HashSet<>();
    private final Map<Integer, Long> firstSent = new HashMap<>();
    private final List<Overtaken> overtaken = new ArrayList<>();

    /** A message that had not occurred when a later one did. */
    private record Overtaken(PlannedMessage earlier, Fact later) {}

    OrderRule(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
        this.timeout = history.plan().shortestTimeout();
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case COMMITTED -> committed(history.message(fact.message()));
            case SENT -> firstSent.putIfAbsent(fact.message(), fact.at());
            case ANSWERED -> {
                if (fact.text().equals(PublishResult.Kind.FAILED.name())
                        || fact.text().equals(PublishResult.Kind.REJECTED.name())) {
                    failed.add(fact.message());
                }
            }
            case TRIAL, DAMAGED -> failed.add(fact.message());
            case DISCARDED -> discarded.add(fact.message());
            case STORED -> {
                if (stored.add(fact.message())) {
                    first(fact, history.message(fact.message()));
                }
            }
            case ENDED -> ended();
            default -> {}
        }
    }

    // Writers of a key are serialised, so commits come in the order of the sequence.
    private void committed(PlannedMessage message) {
        if (message.ordered() && history.plan().keepsOrder(message)) {
            lines.computeIfAbsent(line(message), name -> new ArrayList<>()).add(message);
        }
    }

    private void first(Fact fact, PlannedMessage message) {
        List<PlannedMessage> line = lines.getOrDefault(line(message), List.of());
        if (!line.contains(message)) {
            return;
        }
        for (PlannedMessage earlier : line) {
            if (earlier.number() == message.number()) {
                return;
            }
            if (!stored.contains(earlier.number()) && !isExcused(earlier, fact.at())) {
                overtaken.add(new Overtaken(earlier, fact));
            }
        }
    }

    private boolean isExcused(PlannedMessage message, long now) {
        if (discarded.contains(message.number())) {
            return true;
        }
        return !history.plan().blocksKey(message)
                && (failed.contains(message.number())
                        || now - firstSent.getOrDefault(message.number(), Long.MAX_VALUE) >= timeout);
    }

    private void ended() {
        for (Overtaken pair : overtaken) {
            int earlier = pair.earlier.number();
            boolean arrived = stored.contains(earlier);
            findings.add(
                    arrived ? Invariant.ORDER : Invariant.NO_GAP,
                    pair.later,
                    "occurred before m%d of the same key".formatted(earlier));
        }
    }

    private static String line(PlannedMessage message) {
        return message.topic() + "/" + message.key();
    }
}
