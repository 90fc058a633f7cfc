package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.List;

/**
 * Outcomes sorted by what has to be done.
 *
 * @param updated rows that stay
 * @param deleted delivered rows that are not kept
 * @param freed keys that were held by one of the messages and are no longer
 * @param attempts what goes into the history, whether or not the claim still holds
 */
record Batch(
        List<Transition> updated, List<ClaimedMessage> deleted, List<KeyName> freed, List<FailedAttempt> attempts) {

    static Batch of(List<Settlement> outcomes, boolean deleteDelivered) {
        return new Batch(
                outcomes.stream()
                        .filter(outcome -> !(deleteDelivered && outcome.outcome() == Outcome.DELIVERED))
                        .map(Transition::of)
                        .toList(),
                outcomes.stream()
                        .filter(outcome -> deleteDelivered && outcome.outcome() == Outcome.DELIVERED)
                        .map(Settlement::claimed)
                        .toList(),
                outcomes.stream()
                        .filter(Batch::frees)
                        .map(outcome -> outcome.claimed().message())
                        .flatMap(message ->
                                message
                                        .key()
                                        .map(key -> new KeyName(message.namespace(), message.topic(), key))
                                        .stream())
                        .distinct()
                        .toList(),
                outcomes.stream()
                        .filter(FailedAttempt::isOne)
                        .map(FailedAttempt::of)
                        .toList());
    }

    private static boolean frees(Settlement settlement) {
        return settlement.claimed().held()
                && switch (settlement.outcome()) {
                    case DELIVERED -> true;
                    case RETRY, DEAD -> !settlement.holdsKey();
                    case RELEASED, BEHIND -> false;
                };
    }
}
