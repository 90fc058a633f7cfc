package dev.postrider.inbox;

import dev.postrider.database.Dialect;
import dev.postrider.database.Micros;
import dev.postrider.database.Transactions;
import java.time.Duration;
import java.util.List;

/** Removes what is older than it has to be kept, in one short transaction. */
final class InboxPurge {

    // What somebody is just working on is left for the next time.
    private static final String POSTGRES = """
            delete from {table}
             where ctid = any (array (select o.ctid
                                        from {table} o
                                       where o.{column} <= {later} {further}
                                       order by o.{column}
                                       limit ?
                                         for update skip locked))
            """;

    private static final String MYSQL = """
            delete from {table} where {column} <= {later} {further} order by {column} limit ?
            """;

    private static final String H2 = """
            delete from {table} where {column} <= {later} {further} limit ?
            """;

    private static final List<String> ENDED = List.of("FAILING", "DISCARDED");
    private static final String IN_STATE = "and state = '%s'";

    private final Transactions transactions;

    InboxPurge(Transactions transactions) {
        this.transactions = transactions;
    }

    int run(Duration age, int limit) {
        if (age.isNegative() || limit < 1) {
            throw new IllegalArgumentException(
                    "age must not be negative and limit at least 1 but they were %s and %d".formatted(age, limit));
        }
        String delete = text(transactions.dialect());
        long before = -Micros.of(age);
        return transactions.transacted("purge the inbox", session -> {
            int removed = session.update(of(delete, "{message}", "processed_at", ""), before, limit);
            // Each state by itself, because the index of their ages begins with it.
            for (String state : ENDED) {
                if (removed < limit) {
                    String further = IN_STATE.formatted(state);
                    removed += session.update(of(delete, "{failure}", "updated_at", further), before, limit - removed);
                }
            }
            return removed;
        });
    }

    private static String text(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRES;
            case MARIADB, MYSQL -> MYSQL;
            case H2 -> H2;
        };
    }

    private static String of(String delete, String table, String column, String further) {
        return delete.replace("{table}", table).replace("{column}", column).replace("{further}", further);
    }
}
