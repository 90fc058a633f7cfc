package dev.postrider.verification.simulator;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Membership;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a relay with one mistake does to the store and to the publisher. One of each per process. */
final class BrokenRelays {

    private BrokenRelays() {}

    /** Takes a settle that failed for one that was written. */
    static final class SettleErrorSwallowed extends ForwardingStore {

        SettleErrorSwallowed(OutboxStore store) {
            super(store);
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            try {
                return super.settle(outcomes);
            } catch (OutboxException e) {
                return new Settled(outcomes.size(), List.of());
            }
        }
    }

    /** Takes every outcome for written that was not locked. */
    static final class LostOutcomeIgnored extends ForwardingStore {

        LostOutcomeIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            Settled settled = super.settle(outcomes);
            return new Settled(outcomes.size() - settled.locked().size(), settled.locked());
        }
    }

    /** Fails after outcomes were written, as a listener that throws would make it. */
    static final class SettleRepeated extends ForwardingStore {

        SettleRepeated(OutboxStore store) {
            super(store);
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            Settled settled = super.settle(outcomes);
            if (outcomes.size() > settled.locked().size()) {
                throw new SimulatedFailure("A listener threw");
            }
            return settled;
        }
    }

    /** Believes to own its shards for longer than the store was told. */
    static final class OwnershipOverrated extends ForwardingStore {

        OwnershipOverrated(OutboxStore store) {
            super(store);
        }

        @Override
        public Membership renew(RelayReport report, Duration ownFor) {
            return super.renew(report, ownFor.dividedBy(2));
        }
    }

    /** Reads rows on a way of its own. */
    static final class RowsNotFetched extends ForwardingStore {

        private final OutboxStore server;

        RowsNotFetched(OutboxStore store, OutboxStore server) {
            super(store);
            this.server = server;
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            reach();
            return server.fetch(request, range, rows);
        }

        @Override
        public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
            reach();
            return server.fetchDue(request, after);
        }

        // As any call it takes time and may fail, and a dead process makes none.
        private void reach() {
            List<Long> none = super.appeared(Set.of(), TopicFilter.ALL, List.of());
            assert none.isEmpty();
        }
    }

    /** Swallows what a publisher throws, so that the whole wave waits for answers. */
    static MessagePublisher throwSwallowed(MessagePublisher publisher) {
        return (wave, answers) -> {
            try {
                publisher.publish(wave, answers);
            } catch (IllegalStateException e) {
                // The messages of this wave time out.
            }
        };
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

    static Settlement behindCosts(Settlement outcome) {
        return outcome.outcome() == Settlement.Outcome.BEHIND
                ? Settlement.retry(outcome.claimed(), Duration.ZERO, "behind", true)
                : outcome;
    }

    /** Hides keys from the relay, so that it sends all messages of a key at once. */
    static final class Pipelined extends ForwardingStore {

        private final Map<Long, OutboxMessage> originals = new HashMap<>();

        Pipelined(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            return Messages.with(super.fetch(request, range, rows), this::hidden);
        }

        @Override
        public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
            FetchedDue due = super.fetchDue(request, after);
            return new FetchedDue(hidden(due.rows()), due.next());
        }

        private List<FetchedRow> hidden(List<FetchedRow> rows) {
            rows.forEach(row -> originals.put(row.seq(), row.claimed().message()));
            return rows.stream().map(Pipelined::withoutKey).toList();
        }

        private static FetchedRow withoutKey(FetchedRow row) {
            ClaimedMessage claimed = row.claimed();
            return new FetchedRow(
                    Messages.with(
                            claimed, Messages.copy(claimed.message()).key(null).restore()),
                    null);
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
