package dev.postrider.verification.simulator;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What a relay with one mistake does to the store and to the publisher. One of each per process. */
final class BrokenRelays {

    private BrokenRelays() {}

    /** Takes a settle that failed for one that was written. */
    static final class SettleErrorSwallowed extends ForwardingStore {

        SettleErrorSwallowed(OutboxStore store) {
            super(store);
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            try {
                return super.settle(outcomes);
            } catch (OutboxException e) {
                return outcomes.size();
            }
        }
    }

    /** Repeats a failed claim under another token. */
    static final class TokenForgotten extends ForwardingStore {

        private long calls;

        TokenForgotten(OutboxStore store) {
            super(store);
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            return super.claim(renamed(request), range);
        }

        @Override
        public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
            return super.claimWaiting(renamed(request));
        }

        private ClaimRequest renamed(ClaimRequest request) {
            return new ClaimRequest(
                    request.relay(),
                    request.shards(),
                    request.closedTopics(),
                    request.size(),
                    request.claimFor(),
                    request.token() + ++calls);
        }
    }

    /** Changes outcomes on their way to the store. */
    static final class OutcomeChanged extends ForwardingStore {

        private final UnaryOperator<Settlement> change;

        OutcomeChanged(OutboxStore store, UnaryOperator<Settlement> change) {
            super(store);
            this.change = change;
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            return super.settle(outcomes.stream().map(change).toList());
        }
    }

    static Settlement deadInsteadOfRetry(Settlement outcome) {
        return outcome.outcome() == Settlement.Outcome.RETRY
                ? Settlement.dead(outcome.claimed(), String.valueOf(outcome.error()), outcome.holdsKey())
                : outcome;
    }

    static Settlement retryInsteadOfDead(Settlement outcome) {
        return outcome.outcome() == Settlement.Outcome.DEAD
                ? Settlement.retry(
                        outcome.claimed(), Duration.ofMillis(100), String.valueOf(outcome.error()), outcome.holdsKey())
                : outcome;
    }

    /** Hides keys from the relay, so that it sends all messages of a key at once. */
    static final class Pipelined extends ForwardingStore {

        private final Map<Long, OutboxMessage> originals = new HashMap<>();

        Pipelined(OutboxStore store) {
            super(store);
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            ClaimedBatch batch = super.claim(request, range);
            return new ClaimedBatch(hidden(batch.messages()), batch.scannedTo(), batch.full());
        }

        @Override
        public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
            return hidden(super.claimWaiting(request));
        }

        private List<ClaimedMessage> hidden(List<ClaimedMessage> messages) {
            messages.forEach(claimed -> originals.put(claimed.seq(), claimed.message()));
            return messages.stream()
                    .map(claimed -> Messages.with(
                            claimed, Messages.copy(claimed.message()).key(null).restore()))
                    .toList();
        }

        MessagePublisher publisher(MessagePublisher publisher) {
            return (wave, answers) ->
                    publisher.publish(wave.stream().map(this::original).toList(), answers);
        }

        private ClaimedMessage original(ClaimedMessage claimed) {
            return Messages.with(claimed, Objects.requireNonNull(originals.get(claimed.seq())));
        }
    }

    /** Changes answers on their way to the relay. */
    static MessagePublisher answersChanged(MessagePublisher publisher, UnaryOperator<PublishResult> change) {
        return (wave, answers) ->
                publisher.publish(wave, (claimed, result) -> answers.answer(claimed, change.apply(result)));
    }

    static PublishResult infrastructureCounts(PublishResult result) {
        return result.kind() == PublishResult.Kind.UNAVAILABLE ? PublishResult.failed("unavailable") : result;
    }

    static PublishResult rejectedIsAcked(PublishResult result) {
        return result.kind() == PublishResult.Kind.REJECTED ? PublishResult.acked() : result;
    }

    /** Calls a message delivered before the broker has said so. */
    static MessagePublisher ackBeforeConfirm(MessagePublisher publisher) {
        return (wave, answers) -> {
            publisher.publish(wave, (claimed, result) -> {});
            wave.forEach(claimed -> answers.answer(claimed, PublishResult.acked()));
        };
    }

    /** Sends again on its own when in doubt. */
    static MessagePublisher sendsTwice(MessagePublisher publisher) {
        return (wave, answers) -> {
            publisher.publish(wave, answers);
            publisher.publish(wave, (claimed, result) -> {});
        };
    }

    /** Counts a second answer for the next message that has none. */
    static MessagePublisher answersCounted(MessagePublisher publisher) {
        return (wave, answers) -> {
            Set<Long> answered = new HashSet<>();
            publisher.publish(wave, (claimed, result) -> {
                if (answered.add(claimed.seq())) {
                    answers.answer(claimed, result);
                } else {
                    next(wave, answered).forEach(other -> answers.answer(other, result));
                }
            });
        };
    }

    private static List<ClaimedMessage> next(List<ClaimedMessage> wave, Set<Long> answered) {
        return wave.stream()
                .filter(claimed -> !answered.contains(claimed.seq()))
                .limit(1)
                .toList();
    }
}
