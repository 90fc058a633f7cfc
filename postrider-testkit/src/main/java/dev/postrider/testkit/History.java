package dev.postrider.testkit;

import dev.postrider.admin.Attempt;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The last attempts on each message that did not succeed. Guarded by the store's lock. */
final class History {

    private static final int KEPT = 50;

    private final Map<UUID, Map<Long, Attempt>> attempts = new HashMap<>();

    /** Adds a row for an attempt, once for each claim, whether or not the claim still holds. */
    void add(Settlement outcome, Instant now) {
        if (outcome.outcome() != Outcome.RETRY && outcome.outcome() != Outcome.DEAD) {
            return;
        }
        ClaimedMessage claimed = outcome.claimed();
        UUID id = claimed.message().id();
        Map<Long, Attempt> known = attempts.computeIfAbsent(id, ignored -> new LinkedHashMap<>());
        known.putIfAbsent(
                claimed.token(),
                new Attempt(
                        id,
                        claimed.attempt(),
                        claimed.claimedBy(),
                        outcome.outcome(),
                        outcome.took(),
                        outcome.failure(),
                        outcome.error(),
                        now));
        Collection<Long> tokens = known.keySet();
        if (tokens.size() > KEPT) {
            tokens.remove(tokens.iterator().next());
        }
    }

    List<Attempt> of(UUID id) {
        return List.copyOf(attempts.getOrDefault(id, Map.of()).values());
    }
}
