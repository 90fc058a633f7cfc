package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.HandRelay;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.JdbcTransaction;
import dev.postrider.jdbc.Kinds;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.testkit.OutboxTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** A database with messages in any state, and a person who looks after them. */
final class Desk implements AutoCloseable {

    static final Decision DECISION = new Decision("ada", "the cause is gone");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Fixture fixture;
    private final HandRelay relay;

    private Desk(Fixture fixture) {
        this.fixture = fixture;
        this.relay = HandRelay.join(fixture, "desk");
    }

    static Desk open(Kind kind) {
        return new Desk(Fixture.create(Kinds.require(kind)));
    }

    Fixture fixture() {
        return fixture;
    }

    JdbcOutboxAdmin admin() {
        return JdbcOutboxAdmin.of(fixture.pool());
    }

    JdbcDeadMessages messages() {
        return JdbcDeadMessages.of(fixture.pool());
    }

    static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).payload("{}").build();
    }

    List<Receipt> enqueue(OutboxMessage... messages) {
        return enqueue(JdbcOutbox.create(), messages);
    }

    List<Receipt> enqueue(JdbcOutbox outbox, OutboxMessage... messages) {
        try (OutboxTransaction transaction = JdbcTransaction.begin(fixture.producers(), outbox)) {
            List<Receipt> receipts = transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
            return receipts;
        }
    }

    /** Lets these messages, which are PENDING, die of the error. */
    void kill(String error, OutboxMessage... messages) {
        settle(claimed -> Settlement.dead(claimed, error, false), messages);
    }

    /** Kills everything that waits, in a loop of one's own, which owns no shard. */
    void killByHand(String error) {
        relay.settle(
                relay.store().claimUnsharded("by-hand", 10, HandRelay.LONG, 5, null),
                claimed -> Settlement.dead(claimed, error, false));
    }

    /** Kills these messages, and what comes after them with the same key has to wait. */
    void killHolding(String error, OutboxMessage... messages) {
        settle(claimed -> Settlement.dead(claimed, error, true), messages);
    }

    void deliver(OutboxMessage... messages) {
        settle(Settlement::delivered, messages);
    }

    void claim(OutboxMessage... messages) {
        fetch(messages);
    }

    private void settle(Function<ClaimedMessage, Settlement> outcome, OutboxMessage... messages) {
        List<ClaimedMessage> fetched = fetch(messages);
        relay.settle(fetched, outcome);
        relay.end(fetched);
    }

    /** Fetches these messages and no other. */
    private List<ClaimedMessage> fetch(OutboxMessage... messages) {
        Set<UUID> ids = Arrays.stream(messages).map(OutboxMessage::id).collect(Collectors.toSet());
        List<ClaimedMessage> all = new ArrayList<>(relay.fetch());
        all.addAll(relay.due());
        relay.end(all);
        Set<Long> others = all.stream()
                .filter(each -> !ids.contains(each.message().id()))
                .map(ClaimedMessage::seq)
                .collect(Collectors.toSet());
        FetchRequest request = relay.request(10_000, others, Set.of());
        List<FetchedRow> rows = new ArrayList<>(
                relay.store().fetch(request, SeqRange.above(0), 100_000).rows());
        rows.addAll(relay.store().fetchDue(request, null).rows());
        return HandRelay.claimed(rows);
    }

    void failure(OutboxMessage message, String failure) {
        fixture.update("update outbox_message set failure = ? where id = ?", failure, message.id());
    }

    /** Leaves the row as somebody would who writes it without this library. */
    void forgetFailure(OutboxMessage message) {
        fixture.update("update outbox_message set failure = null where id = ?", message.id());
    }

    MessageStatus status(UUID id) {
        return admin().find(id).orElseThrow().status();
    }

    boolean delivered(UUID id) {
        return admin().find(id).stream().anyMatch(found -> found.status() == MessageStatus.DELIVERED);
    }

    /** Everything in the audit trail, in the order in which it was done. */
    List<AuditEntry> audit() {
        return messages().audit(AuditFilter.all(), Page.oldest(1_000)).items();
    }

    Relay start(JdbcOutboxStore.Builder relayStore, MessagePublisher publisher) {
        relay.store().leave(relay.name());
        return Relay.builder(relayStore.build(), publisher)
                .pollInterval(Duration.ofMillis(50))
                .build()
                .start();
    }

    Relay start(MessagePublisher publisher) {
        return start(JdbcOutboxStore.builder(fixture.pool()), publisher);
    }

    void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    @Override
    public void close() {
        fixture.close();
    }
}
