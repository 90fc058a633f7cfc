package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
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
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A database with messages in any state, and a person who looks after them. */
final class Desk implements AutoCloseable {

    static final Decision DECISION = new Decision("ada", "the cause is gone");

    private static final String ME = "desk";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    private final Fixture fixture;
    private final JdbcOutboxStore store;
    private long token;

    private Desk(Fixture fixture) {
        this.fixture = fixture;
        this.store = JdbcOutboxStore.builder(fixture.pool()).build();
        store.renew(ME, LONG);
        store.acquire(ME, ALL);
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
        store.settle(store.claimUnsharded("by-hand", 10, LONG, 5, null).stream()
                .map(claimed -> Settlement.dead(claimed, error, false))
                .toList());
    }

    /** Kills these messages, and what comes after them with the same key has to wait. */
    void killHolding(String error, OutboxMessage... messages) {
        settle(claimed -> Settlement.dead(claimed, error, true), messages);
    }

    void deliver(OutboxMessage... messages) {
        settle(Settlement::delivered, messages);
    }

    void claim(OutboxMessage... messages) {
        settle(null, messages);
    }

    private void settle(@Nullable Function<ClaimedMessage, Settlement> outcome, OutboxMessage... messages) {
        Set<UUID> ids = Arrays.stream(messages).map(OutboxMessage::id).collect(Collectors.toSet());
        List<ClaimedMessage> claims =
                new ArrayList<>(store.claim(request(), SeqRange.above(0)).messages());
        claims.addAll(store.claimWaiting(request()));
        List<Settlement> outcomes = new ArrayList<>();
        for (ClaimedMessage claimed : claims) {
            if (!ids.contains(claimed.message().id())) {
                outcomes.add(Settlement.released(claimed));
            } else if (outcome != null) {
                outcomes.add(outcome.apply(claimed));
            }
        }
        store.settle(outcomes);
    }

    private ClaimRequest request() {
        return new ClaimRequest(ME, ALL, Set.of(), new ClaimSize(10_000, 1L << 30), LONG, ++token);
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
        store.leave(ME);
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
