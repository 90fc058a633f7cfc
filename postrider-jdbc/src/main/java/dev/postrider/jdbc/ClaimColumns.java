package dev.postrider.jdbc;

/** Where a person finds what a claim says about a row {@code m}: in the row, or beside it in {@code {claim}}. */
final class ClaimColumns {

    // The newest: a relay that had lost its shard may have noted a claim too late.
    private static final String NOTED = """
            (select %s
               from {claim} c
              where m.status = 0
                and m.due_at is null
                and c.first_seq <= m.seq
                and c.last_seq >= m.seq
                and c.last_seq <= m.seq + %d
                and m.seq = any (c.seqs)
              order by c.claimed_at desc
              limit 1)""";

    private ClaimColumns() {}

    /** Returns the statement for a database where every claim is written into its rows. */
    static String inRow(String statement) {
        return statement
                .replace("{status}", "m.status")
                .replace("{attempts}", "m.attempts")
                .replace("{claimed_by}", "m.claimed_by")
                .replace("{updated_at}", "m.updated_at")
                .replace("{claim_until}", "m.claim_until");
    }

    /** Returns the statement for a database where a claim may be noted beside its rows. */
    static String inRowOrNoted(String statement) {
        return statement
                .replace("{status}", "coalesce(" + noted("1") + ", m.status)")
                .replace("{attempts}", "m.attempts + coalesce(" + noted("1") + ", 0)")
                .replace("{claimed_by}", "coalesce(" + noted("c.relay") + ", m.claimed_by)")
                .replace("{updated_at}", "coalesce(" + noted("c.claimed_at") + ", m.updated_at)")
                .replace("{claim_until}", "coalesce(" + noted("c.until") + ", m.claim_until)");
    }

    private static String noted(String column) {
        return NOTED.formatted(column, PostgresNotes.WIDEST);
    }
}
