package dev.postrider.jdbc;

/** What a person sees of a row {@code m} on PostgreSQL: a row that the in-flight journal lists is CLAIMED. */
final class PostgresJournal {

    // The newest entry: a fetch without an answer leaves an entry of its own until the relay removes it.
    private static final String IN_FLIGHT = """
            (select %s
               from {claim} c
               join {relay} r on r.id = c.relay
              where m.status = 0
                and (m.due_at is null or m.due_at <= clock_timestamp())
                and c.first_seq <= m.seq
                and c.last_seq >= m.seq
                and c.attempts[array_position(c.seqs, m.seq)] = m.attempts
              order by c.claimed_at desc
              limit 1)""";

    private PostgresJournal() {}

    /** Returns the statement with the columns that depend on the journal. */
    static String in(String statement) {
        return statement
                .replace("{status}", "coalesce(" + inFlight("1") + ", m.status)")
                .replace("{attempts}", "m.attempts + coalesce(" + inFlight("1") + ", 0)")
                .replace("{claimed_by}", "coalesce(" + inFlight("c.relay") + ", m.claimed_by)")
                .replace("{updated_at}", "coalesce(" + inFlight("c.claimed_at") + ", m.updated_at)")
                .replace("{claim_until}", "coalesce(" + inFlight("r.until") + ", m.claim_until)")
                .replace("{no_claim}", "claim_token = null, claim_epoch = null, claimed_by = null, claim_until = null");
    }

    private static String inFlight(String column) {
        return IN_FLIGHT.formatted(column);
    }
}
