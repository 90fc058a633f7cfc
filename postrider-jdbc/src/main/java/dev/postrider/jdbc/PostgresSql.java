package dev.postrider.jdbc;

/**
 * The settings that go in front of PostgreSQL's statements, and the ends of their transactions.
 *
 * <p>A plan that was made and kept while the table was empty must still be right when it holds a million rows, so it
 * may not depend on statistics: with these settings only the indexes that fit are left to choose from. The server
 * limits the time, because a limit of the driver's wakes a thread of its own for every statement. The result is a
 * number because the driver would end its round trip, and with it an implicit transaction, before a statement whose
 * result it cannot bound.
 */
final class PostgresSql {

    /** For statements that follow an index in its order. */
    static final String FIXED_PLAN = """
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true)
                          || set_config('statement_timeout', '{time_limit}', true));
            """;

    /** For statements that join by hashing, whose cost does not depend on a wrong estimate. */
    static final String FIXED_JOIN = """
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
                          || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true)
                          || set_config('statement_timeout', '{time_limit}', true));
            """;

    /** As {@link #FIXED_JOIN}, for settlements: a row that is locked must not hold up the others. */
    static final String FIXED_SETTLEMENT = """
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_nestloop', 'off', true) || set_config('enable_mergejoin', 'off', true)
                          || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true)
                          || set_config('statement_timeout', '{time_limit}', true)
                          || set_config('lock_timeout', '200', true));
            """;

    /**
     * As {@link #FIXED_PLAN}, for fetches, which end with {@link #COMMIT}. The commit does not wait for the disk: a
     * server that crashes may forget an entry of the journal, and with it only a count of lost claims. A client that
     * freezes between two round trips must not keep its transaction open.
     */
    static final String FIXED_FETCH = """
            begin;
            select length(set_config('enable_seqscan', 'off', true) || set_config('enable_bitmapscan', 'off', true)
                          || set_config('enable_sort', 'off', true) || set_config('jit', 'off', true)
                          || set_config('plan_cache_mode', 'force_generic_plan', true)
                          || set_config('statement_timeout', '{time_limit}', true)
                          || set_config('idle_in_transaction_session_timeout', '{time_limit}', true)
                          || set_config('synchronous_commit', 'off', true));
            """;

    /**
     * Begins a transaction in the round trip of its first statement. If the driver did it, the server would answer that
     * before it turns to the statement.
     */
    static final String BEGIN = "begin;\n";

    /**
     * Ends a transaction in the round trip of its last statement. The driver may send a statement whose result it
     * cannot bound apart from the settings in front of it, so the transaction has to be explicit; after the last
     * statement the server needs no further word to commit.
     */
    static final String COMMIT = """
            ;
            commit
            """;

    private PostgresSql() {}
}
