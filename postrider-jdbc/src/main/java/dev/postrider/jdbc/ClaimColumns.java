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

    // A shard's claim is its owner's: the name in each row would make the row longer.
    private static final String OWNER = """
            case when m.claim_epoch = {no_shard} then m.claimed_by
                 else (select s.owner
                         from {shard} s
                        where m.status = 1 and s.shard = m.shard and s.epoch = m.claim_epoch) end""";

    private ClaimColumns() {}

    /** Returns the statement for a database where every claim is written into its rows. */
    static String inRow(String statement) {
        return statement
                .replace("{status}", "m.status")
                .replace("{attempts}", "m.attempts")
                .replace("{claimed_by}", OWNER)
                .replace("{updated_at}", "m.updated_at")
                .replace("{claim_until}", "case when m.status = 1 then m.claim_until end")
                .replace("{no_claim}", "claim_token = 0, claim_epoch = 0, claimed_by = null")
                .replace("{no_shard}", Long.toString(Long.MAX_VALUE));
    }

    /** Returns the statement for a database where a claim may be noted beside its rows. */
    static String inRowOrNoted(String statement) {
        return statement
                .replace("{status}", "coalesce(" + noted("1") + ", m.status)")
                .replace("{attempts}", "m.attempts + coalesce(" + noted("1") + ", 0)")
                .replace("{claimed_by}", "coalesce(" + noted("c.relay") + ", m.claimed_by)")
                .replace("{updated_at}", "coalesce(" + noted("c.claimed_at") + ", m.updated_at)")
                .replace("{claim_until}", "coalesce(" + noted("c.until") + ", m.claim_until)")
                .replace("{no_claim}", "claim_token = null, claim_epoch = null, claimed_by = null, claim_until = null");
    }

    private static String noted(String column) {
        return NOTED.formatted(column, PostgresNotes.WIDEST);
    }
}
