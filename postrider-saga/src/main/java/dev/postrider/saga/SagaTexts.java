package dev.postrider.saga;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How statements are worded on the database of a connection, whichever that is. Thread-safe. */
final class SagaTexts {

    private static final int NO_TIMEOUT = 0;

    private final TableNames names;
    private final Map<Dialect, SqlText> texts = new ConcurrentHashMap<>();

    SagaTexts(TableNames names) {
        this.names = names;
    }

    /** Returns the session of the transaction that is open on {@code connection}. */
    Session on(Connection connection) throws SQLException {
        SqlText text = texts.computeIfAbsent(Dialect.of(connection), dialect -> of(names, dialect));
        return new Session(connection, text, NO_TIMEOUT);
    }

    // PostgreSQL uses an index only for a time that stands still during the statement. MariaDB and MySQL lock what they
    // sort, so they are made to read in order.
    static SqlText of(TableNames names, Dialect dialect) {
        String now = dialect == Dialect.POSTGRESQL ? "statement_timestamp()" : "{now}";
        boolean sorts = dialect == Dialect.MARIADB || dialect == Dialect.MYSQL;
        String byDue = sorts ? "force index ({prefix}instance_due)" : "";
        return new SqlText(
                names,
                dialect,
                statement -> statement.replace("{stable_now}", now).replace("{by_due}", byDue));
    }
}
