package dev.postrider.jdbc;

import dev.postrider.database.Placeholders;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fetches on databases without arrays: looks at rows without their payloads, chooses, and reads the chosen ones by
 * primary key. Every statement is a consistent read that commits on its own. No row is locked.
 */
final class StepwiseFetch implements Fetches {

    /** How many entries of the index of due times one call looks at. */
    private static final int MOST_DUE = 5_000;

    private static final int MOST_HOLES = 512;
    private static final int HOLES_AT_ONCE = 128;
    private static final int HOLDERS_AT_ONCE = 256;
    private static final int FIRST_STEP = 256;

    // Read before the rows: all outcomes of the last owner were committed before this relay got the shard.
    static final String OWNED = """
            select s.shard, s.epoch
              from {shard} s
             where s.owner = ?
               and exists (select 1 from {relay} r where r.id = ? and r.until > {now})
            """;

    static final String SCAN = """
            select m.seq, m.due_at, m.shard, m.namespace, m.topic, octet_length(m.payload) as bytes,
                   case when m.due_at is null and (m.status = 0 or (m.status = 1 and m.claim_until < {now}))
                        then 1 else 0 end as is_open
              from {message} m {by_seq}
             where m.seq > ?
               and m.seq <= ?
             order by m.seq
             limit ?
            """;

    static final String SCAN_DUE = """
            select m.seq, m.due_at, m.shard, m.namespace, m.topic, octet_length(m.payload) as bytes,
                   case when m.status = 0 or (m.status = 1 and m.claim_until < {now}) then 1 else 0 end as is_open
              from {message} m {by_due}
             where m.due_at >= ?
               and m.due_at <= {now}
               and (m.due_at > ? or m.seq > ?)
             order by m.due_at, m.seq
             limit ?
            """;

    // The rows are asked again for their state, because they may have changed since the scan. Holders are rare: the
    // exists is evaluated once and saves a search for each row.
    static final String READ = "select " + MessageRows.CLAIMED + """
            ,
                   case when exists (select 1 from {message} e {by_holder} where e.held_key is not null)
                        then 1 else 0 end as any_held
              from {message} m {by_seq}
             where (m.due_at is null or m.due_at <= {now})
               and (m.status = 0 or (m.status = 1 and m.claim_until < {now}))
               and m.seq in (?)
            """;

    // A search for each row, with values and not with columns of the row: otherwise MariaDB and MySQL would read every
    // holder of the key from its end. The order by all columns of the index spares MySQL a sort.
    static final String HOLDER = """
            (select h.seq
               from {message} h {by_holder}
              where h.held_key = ? and h.topic = ? and h.namespace = ? and h.seq < ?
              order by h.held_key desc, h.topic desc, h.namespace desc, h.seq desc
              limit 1)""";

    static final String APPEARED = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 0
               and m.due_at is null
               and m.shard in (?)
            """;

    private final Transactions transactions;
    private final RowKeys keys;

    StepwiseFetch(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return transactions.autoCommitted("fetch messages", session -> {
            InFlightJournal.removeEnded(session, request);
            if (!ownsAll(session, request)) {
                return new FetchedPage(List.of(), range.after(), true, 0, List.of());
            }
            FetchBasket basket = new FetchBasket(request);
            List<Long> seen = new ArrayList<>();
            long position = range.after();
            boolean toTheEnd = false;
            // The first step is about as long as the rows that are wanted: most fetches need no other.
            int step = Math.max(FIRST_STEP, 2 * request.size().messages());
            while (!toTheEnd && !basket.isCut() && seen.size() < rows) {
                int limit = Math.min(step, rows - seen.size());
                List<FetchBasket.Row> found = scan(session, SCAN, position, range.upTo(), limit);
                for (FetchBasket.Row row : found) {
                    seen.add(row.seq());
                    basket.offer(row);
                    position = row.seq();
                }
                toTheEnd = found.size() < limit;
                step *= 2;
            }
            if (basket.isCut()) {
                position = basket.last().seq();
                long end = position;
                seen.removeIf(seq -> seq > end);
            }
            List<FetchedRow> fetched = read(session, request, basket);
            boolean full = basket.isCut() || !toTheEnd;
            return new FetchedPage(fetched, position, full, seen.size(), holes(range.after(), seen));
        });
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return transactions.autoCommitted("fetch messages that are due", session -> {
            InFlightJournal.removeEnded(session, request);
            if (!ownsAll(session, request)) {
                return new FetchedDue(List.of(), null);
            }
            FetchBasket basket = new FetchBasket(request);
            DuePosition position = after == null ? new DuePosition(Instant.EPOCH, 0) : after;
            boolean toTheEnd = false;
            int seen = 0;
            int step = Math.max(FIRST_STEP, 2 * request.size().messages());
            while (!toTheEnd && !basket.isCut() && seen < MOST_DUE) {
                int limit = Math.min(step, MOST_DUE - seen);
                Object at = session.dialect().time(position.at());
                List<FetchBasket.Row> found = scan(session, SCAN_DUE, at, at, position.seq(), limit);
                found.forEach(basket::offer);
                seen += found.size();
                toTheEnd = found.size() < limit;
                position =
                        found.isEmpty() ? position : found.get(found.size() - 1).position();
                step *= 2;
            }
            DuePosition next = basket.isCut() ? basket.last().position() : toTheEnd ? null : position;
            return new FetchedDue(read(session, request, basket), next);
        });
    }

    @Override
    public List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        List<SeqRange> ascending = new ArrayList<>(holes);
        ascending.sort(Comparator.comparingLong(SeqRange::after));
        return transactions.autoCommitted("look for late messages", session -> {
            List<Long> appeared = new ArrayList<>();
            for (int i = 0; i < ascending.size() && appeared.size() < OutboxStore.MOST_APPEARED; i += HOLES_AT_ONCE) {
                List<SeqRange> some = ascending.subList(i, Math.min(i + HOLES_AT_ONCE, ascending.size()));
                appeared.addAll(appeared(session, shards, topics, some, OutboxStore.MOST_APPEARED - appeared.size()));
            }
            return appeared;
        });
    }

    private static List<Long> appeared(
            Session session, Set<Integer> shards, TopicFilter topics, List<SeqRange> holes, int limit)
            throws SQLException {
        List<Object> values = new ArrayList<>(Placeholders.padded(List.copyOf(shards)));
        StringBuilder sql = new StringBuilder(Placeholders.widen(APPEARED, shards.size()));
        if (topics.only() || !topics.names().isEmpty()) {
            sql.append(topics.only() ? " and (1 = 0" : " and not (1 = 0");
            for (TopicName topic : topics.names()) {
                sql.append(" or (m.namespace = ? and m.topic = ?)");
                values.add(topic.namespace());
                values.add(topic.topic());
            }
            sql.append(')');
        }
        int width = Placeholders.width(holes.size());
        for (int i = 0; i < width; i++) {
            SeqRange hole = holes.get(Math.min(i, holes.size() - 1));
            sql.append(i == 0 ? " and (" : " or ").append("(m.seq > ? and m.seq <= ?)");
            values.add(hole.after());
            values.add(hole.upTo());
        }
        sql.append(") order by m.seq limit ?");
        values.add(limit);
        return session.list(sql.toString(), rows -> rows.getLong(1), values.toArray());
    }

    private static boolean ownsAll(Session session, FetchRequest request) throws SQLException {
        Map<Integer, Long> owned = new HashMap<>();
        try (PreparedStatement statement = session.prepare(OWNED)) {
            Session.bind(statement, request.relay(), request.relay());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    owned.put(rows.getInt("shard"), rows.getLong("epoch"));
                }
            }
        }
        return owned.entrySet().containsAll(request.epochs().entrySet());
    }

    private static List<FetchBasket.Row> scan(Session session, String sql, Object... values) throws SQLException {
        return session.list(sql, rows -> FetchBasket.Row.of(session.dialect(), rows), values);
    }

    private List<FetchedRow> read(Session session, FetchRequest request, FetchBasket basket) throws SQLException {
        if (basket.seqs().isEmpty()) {
            return List.of();
        }
        Map<Long, ClaimedMessage> bySeq = new HashMap<>();
        boolean anyHeld = false;
        try (PreparedStatement statement = session.prepareList(READ, List.of(), basket.seqs());
                ResultSet rows = statement.executeQuery()) {
            MessageRows reader = new MessageRows(session.dialect(), keys);
            while (rows.next()) {
                anyHeld |= rows.getInt("any_held") == 1;
                ClaimedMessage row = reader.fetched(rows, request);
                bySeq.put(row.seq(), row);
            }
        }
        List<ClaimedMessage> inOrder =
                basket.seqs().stream().map(bySeq::get).filter(Objects::nonNull).toList();
        Map<Long, Long> holders = anyHeld ? holders(session, inOrder) : Map.of();
        List<FetchedRow> fetched = inOrder.stream()
                .map(each -> new FetchedRow(each, holders.get(each.seq())))
                .toList();
        InFlightJournal.add(session, request, fetched);
        return fetched;
    }

    /** Returns the nearest earlier holder of each row's key. */
    private static Map<Long, Long> holders(Session session, List<ClaimedMessage> rows) throws SQLException {
        List<ClaimedMessage> keyed =
                rows.stream().filter(each -> each.message().key().isPresent()).toList();
        Map<Long, Long> holders = new HashMap<>();
        for (int i = 0; i < keyed.size(); i += HOLDERS_AT_ONCE) {
            List<ClaimedMessage> some = keyed.subList(i, Math.min(i + HOLDERS_AT_ONCE, keyed.size()));
            List<Object> values = new ArrayList<>();
            for (Object each : Placeholders.padded(some)) {
                ClaimedMessage row = (ClaimedMessage) each;
                values.add(row.message().key().orElseThrow());
                values.add(row.message().topic());
                values.add(row.message().namespace());
                values.add(row.seq());
            }
            String sql = "select " + HOLDER + (", " + HOLDER).repeat(Placeholders.width(some.size()) - 1);
            try (PreparedStatement statement = session.prepare(sql)) {
                Session.bind(statement, values.toArray());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    for (int column = 0; column < some.size(); column++) {
                        Long holder = row.getObject(column + 1, Long.class);
                        if (holder != null) {
                            holders.put(some.get(column).seq(), holder);
                        }
                    }
                }
            }
        }
        return holders;
    }

    private static List<SeqRange> holes(long after, List<Long> seen) {
        List<SeqRange> holes = new ArrayList<>();
        long last = after;
        for (long seq : seen) {
            if (seq > last + 1) {
                holes.add(new SeqRange(last, seq - 1));
            }
            last = seq;
        }
        return holes.size() <= MOST_HOLES ? holes : merged(holes);
    }

    // Where every second sequence is a hole, as with auto_increment_increment = 2, a list of them costs too much.
    private static List<SeqRange> merged(List<SeqRange> holes) {
        int neighbours = (holes.size() + MOST_HOLES - 1) / MOST_HOLES;
        List<SeqRange> merged = new ArrayList<>();
        for (int i = 0; i < holes.size(); i += neighbours) {
            SeqRange last = holes.get(Math.min(i + neighbours, holes.size()) - 1);
            merged.add(new SeqRange(holes.get(i).after(), last.upTo()));
        }
        return merged;
    }
}
