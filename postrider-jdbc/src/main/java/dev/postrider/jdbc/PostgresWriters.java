package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.Writer;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lists the open transactions that may still add rows. An INSERT locks the table before it draws a sequence, and keeps
 * the lock until its transaction has ended, so the writers are among those that hold such a lock.
 */
final class PostgresWriters {

    // A commit can be seen a moment before its locks are gone: a transaction with a number has ended if the snapshot
    // says so. The second list is read after the first, for transactions without a number: the server lists the lock on
    // the table before the number, so a transaction that ends in between appears without its number in the first list
    // and not at all in the second. Sequences that a session draws in advance (a cache) would break the order of
    // births.
    static final String WRITERS = """
            with lock as materialized (
                select l.locktype, l.virtualtransaction, l.transactionid, l.pid
                  from pg_locks l
                 where l.granted
                   and (l.locktype = 'transactionid' and l.mode = 'ExclusiveLock'
                        or l.locktype = 'relation'
                           and l.relation = '{message}'::regclass
                           and l.database = (select d.oid from pg_database d where d.datname = current_database())
                           and l.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
                                          'AccessExclusiveLock'))
            ), snapshot as materialized (
                select pg_snapshot_xmax(pg_current_snapshot())::xid as xmax,
                       array(select x::xid from pg_snapshot_xip(pg_current_snapshot()) x) as running
            )
            select array(select distinct t.virtualtransaction || case when t.pid is null then ' prepared' else '' end
                                || case when n.transactionid is null then ' unnumbered' else '' end
                           from lock t
                           left join lock n on n.virtualtransaction = t.virtualtransaction
                                           and n.locktype = 'transactionid'
                          cross join snapshot s
                          where t.locktype = 'relation'
                            and t.pid is distinct from pg_backend_pid()
                            and (n.transactionid is null
                                 or n.transactionid = any (s.running)
                                 or age(n.transactionid) <= age(s.xmax))) as writers,
                   (select q.seqcache
                      from pg_sequence q
                     where q.seqrelid = pg_get_serial_sequence('{message}', 'seq')::regclass) as cached
            """;

    static final String STILL_THERE = """
            select array(select distinct l.virtualtransaction
                           from pg_locks l
                          where l.locktype = 'relation'
                            and l.relation = '{message}'::regclass) as writers
            """;

    private static final String PREPARED = " prepared";
    private static final String UNNUMBERED = " unnumbered";

    private PostgresWriters() {}

    /** Returns empty if sessions draw sequences in advance. */
    static Optional<Set<Writer>> read(Session session) throws SQLException {
        Set<String> names = new HashSet<>();
        try (PreparedStatement statement = session.prepare(WRITERS);
                ResultSet row = statement.executeQuery()) {
            row.next();
            if (row.getLong("cached") > 1) {
                return Optional.empty();
            }
            names.addAll(Set.of(names(row.getArray("writers"))));
        }
        Set<String> there = Set.of();
        if (names.stream().anyMatch(name -> name.endsWith(UNNUMBERED))) {
            try (PreparedStatement statement = session.prepare(STILL_THERE);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                there = Set.of(names(row.getArray("writers")));
            }
        }
        Set<Writer> writers = new HashSet<>();
        for (String name : names) {
            boolean unnumbered = name.endsWith(UNNUMBERED);
            String rest = unnumbered ? name.substring(0, name.length() - UNNUMBERED.length()) : name;
            boolean prepared = rest.endsWith(PREPARED);
            String id = prepared ? rest.substring(0, rest.length() - PREPARED.length()) : rest;
            if (!unnumbered || there.contains(id)) {
                writers.add(new Writer(id, prepared));
            }
        }
        return Optional.of(writers);
    }

    private static String[] names(Array array) throws SQLException {
        return (String[]) array.getArray();
    }
}
