package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.Decided;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.admin.TopicFigures;
import dev.postrider.admin.TopicStats;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a person does to rows. Guarded by the store's lock. */
final class Operating {

    private static final long CAP = 10_000;
    private static final int MOST_BLOCKED_KEYS = 1_000;

    private final Rows rows;
    private final ShardOwners ownership;
    private final Journal journal;
    private final List<AuditEntry> audit = new ArrayList<>();

    Operating(Rows rows, ShardOwners ownership, Journal journal) {
        this.rows = rows;
        this.ownership = ownership;
        this.journal = journal;
    }

    /** Returns the row as a person sees it: a message in flight is CLAIMED by the relay that sends it. */
    StoredMessage shown(Row row) {
        Journal.Entry entry = journal.of(row, relay -> ownership.until(relay) != null);
        return entry == null ? row.stored() : row.inFlight(entry, ownership.until(entry.relay()));
    }

    List<StoredMessage> list(MessageStatus status, long after, int limit) {
        return rows.above(after).stream()
                .map(this::shown)
                .filter(message -> message.status() == status)
                .limit(limit)
                .toList();
    }

    List<BlockedKey> blockedKeys(int limit) {
        return rows.heldKeys().stream().limit(limit).map(this::blockedKey).toList();
    }

    int requeue(Collection<UUID> ids, Decision decision, Instant now) {
        return each(
                ids,
                MessageStatus.DEAD,
                row -> note("REQUEUE", row, decision, now),
                row -> rows.change(row, now, () -> {
                    beginAnew(row, now);
                    row.died = null;
                }));
    }

    int replay(Collection<UUID> ids, Decision decision, Instant now) {
        return each(
                ids,
                MessageStatus.DELIVERED,
                row -> note("REPLAY", row, decision, now),
                row -> rows.change(row, now, () -> {
                    beginAnew(row, now);
                    row.holdsKey = false;
                    row.delivered = null;
                }));
    }

    int discard(Collection<UUID> ids, Decision decision, Instant now, Consumer<Row> removed) {
        return each(ids, MessageStatus.DEAD, row -> note("DISCARD", row, decision, now), row -> {
            rows.remove(row);
            removed.accept(row);
            if (row.holdsKey && row.key != null) {
                rows.promoteFirst(row.key, now);
            }
        });
    }

    List<AuditEntry> audit() {
        return List.copyOf(audit);
    }

    private void note(String action, Row row, Decision decision, Instant now) {
        OutboxMessage message = row.message;
        String detail = "%s/%s %s".formatted(message.namespace(), message.topic(), message.type());
        note(action, message.id(), detail, new Decided(decision, now));
    }

    /** Adds an entry to the audit trail. */
    void note(String action, @Nullable UUID messageId, String detail, Decided decided) {
        audit.add(new AuditEntry(
                audit.size() + 1L,
                decided.at(),
                decided.decision().by(),
                action,
                decided.decision().reason(),
                messageId,
                null,
                detail));
    }

    int purge(Duration age, int limit, Instant now, Consumer<Row> removed) {
        Instant newest = now.minus(age);
        List<Row> old = rows.all().stream()
                .filter(row -> row.status == MessageStatus.DELIVERED
                        && !Objects.requireNonNull(row.delivered).isAfter(newest))
                .limit(limit)
                .toList();
        old.forEach(row -> {
            rows.remove(row);
            removed.accept(row);
        });
        return old.size();
    }

    OutboxStats stats(Instant now) {
        long pending = 0;
        long waiting = 0;
        long dead = 0;
        Duration oldest = Duration.ZERO;
        for (Row row : rows.all()) {
            if (row.status == MessageStatus.DEAD) {
                dead++;
            } else if (row.status == MessageStatus.PENDING && row.due != null && row.due.isAfter(now)) {
                waiting++;
            } else if (row.status != MessageStatus.DELIVERED) {
                Instant due = row.due;
                Instant since = row.attempts == 0 && due != null ? due : row.created;
                Duration age = Duration.between(since, now);
                oldest = age.compareTo(oldest) > 0 ? age : oldest;
                pending++;
            }
        }
        return new OutboxStats(
                Math.min(pending, CAP),
                Math.min(waiting, CAP),
                Math.min(dead, CAP),
                oldest,
                CAP,
                Math.min(rows.heldKeys().size(), MOST_BLOCKED_KEYS),
                ownership.relays(now),
                ownership.unowned(now));
    }

    TopicStats topicStats(Instant now) {
        Map<TopicName, List<Row>> topics = new TreeMap<>();
        rows.all()
                .forEach(row -> topics.computeIfAbsent(row.topic, topic -> new ArrayList<>())
                        .add(row));
        List<TopicFigures> figures = topics.entrySet().stream()
                .map(each -> new TopicFigures(
                        each.getKey(),
                        count(each.getValue(), row -> row.isOpen() && !row.isWaiting(now)),
                        count(each.getValue(), row -> row.isOpen() && row.isWaiting(now)),
                        count(each.getValue(), row -> row.status == MessageStatus.DEAD)))
                .toList();
        return new TopicStats(figures, false, false, false);
    }

    private static long count(List<Row> rows, Predicate<Row> counted) {
        return rows.stream().filter(counted).count();
    }

    private int each(Collection<UUID> ids, MessageStatus guard, Consumer<Row> note, Consumer<Row> action) {
        List<Row> found = new ArrayList<>();
        for (UUID id : ids) {
            Row row = rows.withId(id);
            if (row != null && row.status == guard && !found.contains(row)) {
                found.add(row);
            }
        }
        found.forEach(note.andThen(action));
        return found.size();
    }

    private static void beginAnew(Row row, Instant now) {
        row.status = MessageStatus.PENDING;
        row.due = now;
        row.attempts = 0;
        row.lostClaims = 0;
        row.onTrial = false;
    }

    private BlockedKey blockedKey(List<Row> line) {
        Row first = line.get(0);
        Row.KeyName key = Objects.requireNonNull(first.key);
        return new BlockedKey(
                key.topic(),
                key.key(),
                first.message.id(),
                shown(first).status(),
                Math.min(line.size() - 1L, CAP),
                first.error);
    }
}
