package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedRow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The in-flight journal of databases without arrays. An entry lists its messages as text, each with the attempts its
 * row had: {@code ,17:0,18:2,}. A message is found by one search for its own text.
 */
final class InFlightJournal {

    private static final String ADD =
            "insert into {claim} (token, relay, first_seq, last_seq, seqs) values (?, ?, ?, ?, ?)";

    // A repeated fetch has the token of the first one.
    private static final String EXTEND = """
            update {claim}
               set first_seq = least(first_seq, ?), last_seq = greatest(last_seq, ?), seqs = concat(seqs, ?)
             where token = ?
            """;

    private static final String REMOVE = "delete from {claim} where relay = ? and token in (?)";

    // The newest entry: a fetch without an answer leaves an entry of its own until the relay removes it. The case saves
    // the search for rows that cannot be in flight.
    private static final String IN_FLIGHT = """
            case when m.status = 0 and (m.due_at is null or m.due_at <= {now})
                 then (select %s
                         from {claim} c
                         join {relay} r on r.id = c.relay
                        where c.first_seq <= m.seq
                          and c.last_seq >= m.seq
                          and locate(concat(',', m.seq, ':', m.attempts, ','), c.seqs) > 0
                        order by c.claimed_at desc
                        limit 1) end""";

    private InFlightJournal() {}

    /** Returns the statement with the columns of a row {@code m} that depend on the journal. */
    static String in(String statement) {
        return statement
                .replace("{status}", "coalesce(" + inFlight("1") + ", m.status)")
                .replace("{attempts}", "m.attempts + coalesce(" + inFlight("1") + ", 0)")
                .replace("{claimed_by}", "coalesce(" + inFlight("c.relay") + ", m.claimed_by)")
                .replace("{updated_at}", "coalesce(" + inFlight("c.claimed_at") + ", m.updated_at)")
                .replace(
                        "{claim_until}",
                        "coalesce(" + inFlight("r.until") + ", case when m.status = 1 then m.claim_until end)")
                .replace("{no_claim}", "claim_token = 0, claim_epoch = 0, claimed_by = null")
                .replace("{no_shard}", Long.toString(Long.MAX_VALUE));
    }

    private static String inFlight(String column) {
        return IN_FLIGHT.formatted(column);
    }

    /** Removes the entries of a relay in which nothing is in flight any more. */
    static void removeEnded(Session session, FetchRequest request) throws SQLException {
        session.updateAll(REMOVE, List.of(request.relay()), request.ended());
    }

    /** Records what a fetch returns. */
    static void add(Session session, FetchRequest request, List<FetchedRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        StringBuilder seqs = new StringBuilder(",");
        for (FetchedRow row : rows) {
            first = Math.min(first, row.seq());
            last = Math.max(last, row.seq());
            seqs.append(row.seq())
                    .append(':')
                    .append(row.claimed().attempt() - 1)
                    .append(',');
        }
        String text = seqs.toString();
        if (!session.insertOnce(ADD, request.token(), request.relay(), first, last, text)) {
            session.update(EXTEND, first, last, text, request.token());
        }
    }

    /** Returns the sequences that an entry lists, each with the attempts its row had. */
    static Map<Long, Integer> attempts(String seqs) {
        Map<Long, Integer> attempts = new HashMap<>();
        for (String each : seqs.split(",", -1)) {
            int colon = each.indexOf(':');
            if (colon > 0) {
                attempts.put(Long.valueOf(each.substring(0, colon)), Integer.valueOf(each.substring(colon + 1)));
            }
        }
        return attempts;
    }
}
