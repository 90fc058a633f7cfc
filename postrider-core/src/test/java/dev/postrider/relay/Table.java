package dev.postrider.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table of messages in memory that lets other sessions act in the middle of every call of a relay. */
final class Table {

    private static final long NEVER = Long.MAX_VALUE;

    final TreeMap<Long, Row> rows = new TreeMap<>();
    final Set<String> writers = new HashSet<>();
    final Set<Long> locked = new HashSet<>();
    boolean listsWriters = true;
    long nanos;
    private final Runnable others;
    private long drawn;

    /** A committed message. */
    static final class Row {

        final long seq;
        final OutboxMessage message;
        boolean pending = true;
        boolean holdsKey;
        int attempts;

        @Nullable Long due;

        Row(long seq, OutboxMessage message) {
            this.seq = seq;
            this.message = message;
        }

        boolean sharesKeyWith(Row other) {
            return message.key().isPresent()
                    && message.key().equals(other.message.key())
                    && message.topic().equals(other.message.topic());
        }
    }

    /** {@code others} is what other sessions do while a call is under way. */
    Table(Runnable others) {
        this.others = others;
    }

    long draw() {
        return ++drawn;
    }

    void commit(long seq, OutboxMessage message) {
        rows.put(seq, new Row(seq, message));
    }

    OutboxStore store() {
        return (OutboxStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    others.run();
                    Object answer = answer(method.getName(), args);
                    others.run();
                    return answer;
                });
    }

    private Object answer(String method, Object[] args) {
        return switch (method) {
            case "fetch" -> fetch((FetchRequest) args[0], (SeqRange) args[1], (int) args[2]);
            case "fetchDue" -> fetchDue((FetchRequest) args[0]);
            case "writers" -> listsWriters ? Optional.of(listed()) : Optional.empty();
            case "appeared" -> appeared((Set<?>) args[0], (TopicFilter) args[1], ranges(args[2]));
            case "settle" -> settle(outcomes(args[0]));
            case "beginTrial" -> true;
            default -> throw new AssertionError(method);
        };
    }

    private FetchedPage fetch(FetchRequest request, SeqRange range, int most) {
        List<Row> taken = new ArrayList<>();
        long scannedTo = range.after();
        int seen = 0;
        boolean full = false;
        for (Row row : rows.subMap(range.after(), false, range.upTo(), true).values()) {
            boolean wanted = row.due == null && isWanted(row, request);
            if (seen == most || (wanted && taken.size() == request.size().messages())) {
                full = true;
                break;
            }
            seen++;
            scannedTo = row.seq;
            if (wanted) {
                taken.add(row);
            }
        }
        boolean dense = seen == scannedTo - range.after();
        List<SeqRange> holes = dense ? List.of() : List.of(new SeqRange(range.after(), scannedTo));
        return new FetchedPage(fetched(taken, request), scannedTo, full, seen, holes);
    }

    private FetchedDue fetchDue(FetchRequest request) {
        List<Row> taken = rows.values().stream()
                .filter(row -> row.due != null && row.due <= nanos && isWanted(row, request))
                .limit(request.size().messages())
                .toList();
        @Nullable DuePosition next = null;
        return new FetchedDue(fetched(taken, request), next);
    }

    private static boolean isWanted(Row row, FetchRequest request) {
        return row.pending
                && request.topics().includes(TopicName.of(row.message))
                && !request.inFlight().contains(row.seq);
    }

    private List<FetchedRow> fetched(List<Row> taken, FetchRequest request) {
        return taken.stream()
                .map(row -> new FetchedRow(
                        new ClaimedMessage(
                                row.seq,
                                request.token(),
                                request.relay(),
                                0,
                                Objects.requireNonNull(request.epochs().get(0)),
                                row.attempts + 1,
                                row.holdsKey,
                                0,
                                false,
                                null,
                                row.message),
                        holderBefore(row)))
                .toList();
    }

    private @Nullable Long holderBefore(Row row) {
        return rows.headMap(row.seq, false).descendingMap().values().stream()
                .filter(other -> other.holdsKey && other.sharesKeyWith(row))
                .map(other -> other.seq)
                .findFirst()
                .orElse(null);
    }

    private Set<Writer> listed() {
        return writers.stream().map(name -> new Writer(name, false)).collect(Collectors.toSet());
    }

    private List<Long> appeared(Set<?> shards, TopicFilter topics, List<SeqRange> holes) {
        return rows.values().stream()
                .filter(row -> row.pending && row.due == null)
                .filter(row -> shards.contains(0) && topics.includes(TopicName.of(row.message)))
                .map(row -> row.seq)
                .filter(seq -> holes.stream().anyMatch(hole -> hole.after() < seq && seq <= hole.upTo()))
                .toList();
    }

    private Settled settle(List<Settlement> outcomes) {
        List<Settlement> skipped = outcomes.stream()
                .filter(each -> locked.contains(each.claimed().seq()))
                .toList();
        int written = 0;
        List<Row> freed = new ArrayList<>();
        for (Settlement outcome : outcomes) {
            Row row = Objects.requireNonNull(rows.get(outcome.claimed().seq()));
            if (skipped.contains(outcome)
                    || !row.pending
                    || row.attempts != outcome.claimed().attempt() - 1) {
                continue;
            }
            written += write(row, outcome, freed) ? 1 : 0;
        }
        freed.forEach(this::promote);
        return new Settled(written, skipped);
    }

    private boolean write(Row row, Settlement outcome, List<Row> freed) {
        switch (outcome.outcome()) {
            case DELIVERED -> {
                if (row.holdsKey) {
                    freed.add(row);
                }
                row.pending = false;
                row.holdsKey = false;
            }
            case RETRY -> {
                row.attempts++;
                row.due = nanos + outcome.delay().toNanos();
                row.holdsKey = outcome.holdsKey();
            }
            case BEHIND -> {
                Row holder = rows.get(Objects.requireNonNull(outcome.holder()));
                if (holder == null || !holder.holdsKey) {
                    return false;
                }
                row.due = NEVER;
                row.holdsKey = true;
            }
            case RELEASED, DEAD -> throw new AssertionError(outcome);
        }
        return true;
    }

    private void promote(Row holder) {
        rows.values().stream()
                .filter(row -> row.pending && row.due != null && row.due == NEVER && row.sharesKeyWith(holder))
                .limit(3)
                .forEach(row -> row.due = nanos);
    }

    @SuppressWarnings("unchecked")
    private static List<Settlement> outcomes(Object argument) {
        return (List<Settlement>) argument;
    }

    @SuppressWarnings("unchecked")
    private static List<SeqRange> ranges(Object argument) {
        return (List<SeqRange>) argument;
    }
}
