package dev.postrider.verification.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.Shards;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Hand-made histories, each good but for one fact. */
class CheckerTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long TOKEN = 77;
    private static final long EPOCH = 1;
    private static final int NODE = 1;
    private static final int OTHER = 2;

    private final History history = new History(plan(Plan.Kind.CHAOS));
    private long now = SECOND;

    @Test
    void aGoodHistoryViolatesNothing() {
        own(NODE, 1);
        deliver(message(1, "a"), TOKEN);
        deliver(message(2, "a"), TOKEN + 1);

        assertThat(violated()).isEmpty();
    }

    @Test
    void whatWasNotCommittedMustNotBeDelivered() {
        history.plan(planned(1, "a"));
        stored(1, history.message(1).content());

        assertThat(violated()).containsExactly(Invariant.NO_PHANTOM);
    }

    @Test
    void whatIsDamagedMustNotBePublished() {
        own(NODE, 1);
        int message = message(1, "a");
        note(Fact.Kind.DAMAGED, message, 0, 0, "");
        deliver(message, TOKEN);

        assertThat(violated()).containsExactly(Invariant.INTACT);
    }

    @Test
    void whatWasCommittedMustNotBeLeft() {
        message(1, "a");

        assertThat(violated()).containsExactly(Invariant.NO_LOSS);
    }

    @Test
    void theFirstOccurrencesOfAKeyMustBeInOrder() {
        own(NODE, 1);
        int first = message(1, "a");
        deliver(message(2, "a"), TOKEN);
        deliver(first, TOKEN + 1);

        assertThat(violated()).containsExactly(Invariant.ORDER);
    }

    @Test
    void orderBrokenByALateCommitIsCountedApart() {
        own(NODE, 1);
        history.plan(planned(1, "a"));
        message(2, "b");
        note(Fact.Kind.COMMITTED, 1, 1, 0, "");
        deliver(message(3, "a"), TOKEN);
        deliver(1, TOKEN + 1);
        deliver(2, TOKEN + 2);

        assertThat(violated()).containsExactly(Invariant.ORDER);
    }

    @Test
    void nothingMustBeSkipped() {
        own(NODE, 1);
        int first = message(1, "a");
        deliver(message(2, "a"), TOKEN);
        fetch(first, TOKEN + 1);
        note(Fact.Kind.SENT, first, TOKEN + 1, 0, "");
        note(Fact.Kind.ANSWERED, first, TOKEN + 1, 0, "REJECTED");
        settle(first, TOKEN + 1, "DEAD");
        change(first, "settle: refused", MessageStatus.PENDING, MessageStatus.DEAD, 0, 1);

        assertThat(violated()).containsExactly(Invariant.NO_GAP);
    }

    @Test
    void aMessageMustNotBeSentWithoutAFetch() {
        own(NODE, 1);
        finish(message(1, "a"), TOKEN);

        assertThat(violated()).containsExactly(Invariant.FETCHED_BEFORE_SENT);
    }

    @Test
    void aMessageMustBeSentOnceForEachFetch() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        finish(number, TOKEN);

        assertThat(violated()).containsExactly(Invariant.EXPLAINED);
    }

    @Test
    void aMessageMustNotBeSentAgainWhileItsAnswerIsAwaited() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        deliver(number, TOKEN + 1);

        assertThat(violated()).containsExactly(Invariant.EXPLAINED);
    }

    @Test
    void aMessageMayBeSentAgainWhenTheBrokerWasUnavailable() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        note(Fact.Kind.ANSWERED, number, TOKEN, 0, "UNAVAILABLE");
        deliver(number, TOKEN + 1);

        assertThat(violated()).isEmpty();
    }

    @Test
    void theContentMustNotChange() {
        own(NODE, 1);
        int number = message(1, "a");
        deliver(number, TOKEN);
        stored(number, 42);

        assertThat(violated()).containsExactly(Invariant.INTACT);
    }

    @Test
    void aRowMustNotBeDeliveredWithoutAnAck() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        stored(number, history.message(number).content());
        settle(number, TOKEN, "DELIVERED");
        change(number, "settle", MessageStatus.PENDING, MessageStatus.DELIVERED, 0, 1);

        assertThat(violated()).containsExactly(Invariant.STATES);
    }

    @Test
    void anUnreachableBrokerMustNotCostAnAttempt() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        note(Fact.Kind.ANSWERED, number, TOKEN, 0, "UNAVAILABLE");
        settle(number, TOKEN, "RETRY");
        change(number, "settle", MessageStatus.PENDING, MessageStatus.PENDING, 0, 1);
        deliver(number, TOKEN + 1, 1);

        assertThat(violated()).containsExactly(Invariant.STATES);
    }

    @Test
    void aRelayThatLostTheShardMustNotSettle() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        stored(number, history.message(number).content());
        note(Fact.Kind.ANSWERED, number, TOKEN, 0, "ACKED");
        now += 10 * SECOND;
        own(OTHER, 2);
        settle(number, TOKEN, "DELIVERED");
        change(number, "settle", MessageStatus.PENDING, MessageStatus.DELIVERED, 0, 1);

        assertThat(violated()).containsExactly(Invariant.FENCED);
    }

    @Test
    void aMessageMustNotBeSentAfterTheOwnershipHasEnded() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        now += 10 * SECOND;
        finish(number, TOKEN);

        assertThat(violated()).containsExactly(Invariant.SENT_WHILE_OWNED);
    }

    @Test
    void aMessageMustNotBeFetchedFromAShardOfAnotherRelay() {
        own(OTHER, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);

        assertThat(violated()).containsExactlyInAnyOrder(Invariant.OWNERSHIP, Invariant.NO_LOSS);
    }

    @Test
    void aRowMustNotVanish() {
        own(NODE, 1);
        int number = message(1, "a");
        deliver(number, TOKEN);
        change(number, "settle", MessageStatus.DELIVERED, null, 1, 1);

        assertThat(violated()).containsExactly(Invariant.ROW_KEPT);
    }

    @Test
    void aMessageMustNotDieWithoutAReason() {
        own(NODE, 1);
        int number = message(1, "a");
        fetch(number, TOKEN);
        note(Fact.Kind.SENT, number, TOKEN, 0, "");
        note(Fact.Kind.ANSWERED, number, TOKEN, 0, "FAILED");
        settle(number, TOKEN, "DEAD");
        change(number, "settle: not now", MessageStatus.PENDING, MessageStatus.DEAD, 0, 1);

        assertThat(violated()).containsExactly(Invariant.DEATH_EXPLAINED);
    }

    @Test
    void aShardMustNotBeTakenBeforeItsOwnersTimeIsOver() {
        own(NODE, 1);
        own(OTHER, 2);

        assertThat(violated()).contains(Invariant.OWNERSHIP);
    }

    @Test
    void anEpochMustHaveOneOwner() {
        own(NODE, 1);
        now += 10 * SECOND;
        own(OTHER, 1);

        assertThat(violated()).contains(Invariant.OWNERSHIP);
    }

    @Test
    void everythingMustBeDrained() {
        assertThat(Checker.check(ended(0))).extracting(Violation::invariant).containsExactly(Invariant.LIVENESS);
    }

    @Test
    void aFreshMessageMustArriveSoonAtTheLimits() {
        History slow = new History(plan(Plan.Kind.LIMITS));
        slow.plan(planned(1, null));
        long arrival =
                now + slow.plan().limits().bound(false, slow.plan().relay().batchSize()) + 1;
        slow.add(Fact.of(now, Fact.Kind.COMMITTED, Fact.NOBODY, 1, "").with(1, 0));
        slow.add(Fact.of(arrival, Fact.Kind.STORED, NODE, 1, "")
                .with(slow.message(1).content(), 0));
        slow.add(Fact.of(arrival, Fact.Kind.ENDED, Fact.NOBODY, Fact.NOBODY, "").with(1, 0));

        assertThat(Checker.check(slow))
                .extracting(Violation::invariant)
                .containsExactlyInAnyOrder(Invariant.PROGRESS, Invariant.NO_LOSS);
    }

    @Test
    void aGracefulStopMustNotDeliverTwice() {
        History graceful = new History(plan(Plan.Kind.GRACEFUL));
        history.facts().forEach(graceful::add);
        graceful.plan(planned(1, null));
        long content = graceful.message(1).content();
        graceful.add(Fact.of(now, Fact.Kind.COMMITTED, Fact.NOBODY, 1, "").with(1, 0));
        graceful.add(Fact.of(now, Fact.Kind.STORED, NODE, 1, "").with(content, 0));
        graceful.add(Fact.of(now, Fact.Kind.STORED, NODE, 1, "").with(content, 0));
        graceful.add(Fact.of(now, Fact.Kind.ENDED, Fact.NOBODY, Fact.NOBODY, "").with(1, 0));

        assertThat(Checker.check(graceful)).extracting(Violation::invariant).contains(Invariant.GRACEFUL);
    }

    @Test
    void aMessageMustNotKillForEver() {
        own(NODE, 1);
        int number = message(1, "a");
        deliver(number, TOKEN);
        for (int kill = 0; kill <= Plan.QUARANTINE_AFTER; kill++) {
            note(Fact.Kind.KILLED, number, TOKEN, 0, "");
            note(Fact.Kind.CRASHED, Fact.NOBODY, 0, 0, "");
        }

        assertThat(violated()).containsExactly(Invariant.QUARANTINE);
    }

    @Test
    void aStepMustNotThrowOnItsOwn() {
        note(Fact.Kind.STEP_FAILED, Fact.NOBODY, 0, 0, "BUG in SEND: java.lang.NullPointerException");

        assertThat(violated()).containsExactly(Invariant.NO_EXCEPTION);
    }

    private Iterable<Invariant> violated() {
        return Checker.check(ended(1)).stream().map(Violation::invariant).toList();
    }

    private History ended(long drained) {
        note(Fact.Kind.ENDED, Fact.NOBODY, drained, 0, "");
        return history;
    }

    private void own(int node, long epoch) {
        history.add(Fact.of(now, Fact.Kind.RENEWED, node, Fact.NOBODY, "").with(-1, now + 5 * SECOND));
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            history.add(Fact.of(now, Fact.Kind.ACQUIRED, node, Fact.NOBODY, "").with(shard, epoch));
        }
    }

    private int message(int number, @Nullable String key) {
        history.plan(planned(number, key));
        note(Fact.Kind.COMMITTED, number, number, 0, "");
        return number;
    }

    private void deliver(int number, long token) {
        deliver(number, token, 0);
    }

    private void deliver(int number, long token, int attempts) {
        fetch(number, token);
        finish(number, token, attempts);
    }

    private void fetch(int number, long token) {
        note(Fact.Kind.FETCHED, number, token, EPOCH, "");
    }

    private void finish(int number, long token) {
        finish(number, token, 0);
    }

    private void finish(int number, long token, int attempts) {
        note(Fact.Kind.SENT, number, token, 0, "");
        stored(number, history.message(number).content());
        note(Fact.Kind.ANSWERED, number, token, 0, "ACKED");
        settle(number, token, "DELIVERED");
        change(number, "settle", MessageStatus.PENDING, MessageStatus.DELIVERED, attempts, attempts + 1);
    }

    private void settle(int number, long token, String outcome) {
        note(Fact.Kind.SETTLE, number, token, EPOCH, outcome);
    }

    private void stored(int number, long content) {
        note(Fact.Kind.STORED, number, content, 0, "orders");
    }

    private void note(Fact.Kind kind, int number, long a, long b, String text) {
        now += SECOND / 1_000;
        history.add(Fact.of(now, kind, NODE, number, text).with(a, b));
    }

    private void change(
            int number,
            String cause,
            MessageStatus from,
            @Nullable MessageStatus to,
            int attemptsFrom,
            int attemptsTo) {
        history.add(Fact.changed(now, NODE, number, cause, new Change(from, to, attemptsFrom, attemptsTo)));
    }

    private static PlannedMessage planned(int number, @Nullable String key) {
        OutboxMessage message = OutboxMessage.to("orders", "placed")
                .key(key)
                .id(new UUID(1, number))
                .version(number)
                .build();
        return new PlannedMessage(
                number,
                "orders",
                key,
                key != null,
                PlannedMessage.Nature.GOOD,
                PlannedMessage.contentOf(message),
                message);
    }

    private static Plan plan(Plan.Kind kind) {
        Plan any = Plan.of(1);
        return new Plan(1, kind, 1, 1, 1, 1, 0, any.relay());
    }
}
