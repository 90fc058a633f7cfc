package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.jdbc.row.StatusCode;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Outcomes of one relay, sorted by what has to be written.
 *
 * @param relay the relay, or the owner of claims that do not depend on a shard
 * @param epochs the epoch of each shard
 * @param delivered messages of a relay with the same number of attempts
 * @param deleted delivered messages that are not kept
 * @param settled all other outcomes of attempts
 * @param released trials that end
 * @param behind messages that wait for another one
 */
record Batch(
        String relay,
        Map<Integer, Long> epochs,
        List<Settlement> delivered,
        List<Settlement> deleted,
        List<Settlement> settled,
        List<Settlement> released,
        List<Settlement> behind) {

    /** Returns a batch for each relay; usually there is one. */
    static List<Batch> byRelay(List<Settlement> outcomes, boolean deleteDelivered) {
        return outcomes.stream()
                .collect(Collectors.groupingBy(
                        each -> each.claimed().claimedBy(), LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> of(each.getKey(), each.getValue(), deleteDelivered))
                .toList();
    }

    private static Batch of(String relay, List<Settlement> outcomes, boolean deleteDelivered) {
        Map<Integer, Long> epochs = new HashMap<>();
        outcomes.forEach(
                each -> epochs.merge(each.claimed().shard(), each.claimed().epoch(), Math::max));
        Batch batch = new Batch(
                relay,
                epochs,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
        int attempt = mostFrequentAttempt(outcomes);
        for (Settlement outcome : outcomes) {
            ClaimedMessage claimed = outcome.claimed();
            boolean ofRelay = claimed.epoch() != ClaimedMessage.NO_EPOCH;
            // A shard that was lost and won again has a new epoch; what was fetched under the old one is lost.
            if (ofRelay && claimed.epoch() < epochs.getOrDefault(claimed.shard(), claimed.epoch())) {
                continue;
            }
            List<Settlement> kind = switch (outcome.outcome()) {
                case DELIVERED ->
                    deleteDelivered
                            ? batch.deleted
                            : ofRelay && claimed.attempt() == attempt && claimed.dueAt() == null
                                    ? batch.delivered
                                    : batch.settled;
                case RETRY, DEAD -> batch.settled;
                case RELEASED -> batch.released;
                case BEHIND -> batch.behind;
            };
            kind.add(outcome);
        }
        return batch;
    }

    private static int mostFrequentAttempt(List<Settlement> outcomes) {
        return outcomes.stream()
                .filter(each -> each.outcome() == Outcome.DELIVERED)
                .collect(Collectors.groupingBy(each -> each.claimed().attempt(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    /** Returns the keys that were held by one of the messages and are no longer. */
    static List<KeyName> freed(List<Settlement> outcomes) {
        return outcomes.stream()
                .filter(Batch::frees)
                .map(outcome -> outcome.claimed().message())
                .flatMap(message ->
                        message.key().map(key -> new KeyName(message.namespace(), message.topic(), key)).stream())
                .distinct()
                .toList();
    }

    private static boolean frees(Settlement settlement) {
        return settlement.claimed().held()
                && switch (settlement.outcome()) {
                    case DELIVERED -> true;
                    case RETRY, DEAD -> !settlement.holdsKey();
                    case RELEASED, BEHIND -> false;
                };
    }

    /** Returns the number of the state that an outcome leads to. */
    static short statusCode(Outcome outcome) {
        return StatusCode.of(
                switch (outcome) {
                    case DELIVERED -> MessageStatus.DELIVERED;
                    case DEAD -> MessageStatus.DEAD;
                    case RETRY, RELEASED, BEHIND -> MessageStatus.PENDING;
                });
    }
}
