package dev.postrider.services;

import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Databases on the shared servers that all begin with the same tables and rows. A closed database is put back into its
 * first state and handed out again, because creating and migrating one takes far longer than emptying it. A database
 * whose definitions were changed, or in which a session is still open, is dropped instead. Thread-safe.
 */
public final class PreparedDatabases {

    private record Prepared(Database database, Snapshot first) {}

    private final Consumer<DataSource> preparation;
    private final Map<Kind, Deque<Prepared>> idle = new EnumMap<>(Kind.class);

    /** The preparation creates the tables, and the rows every test starts with. */
    public PreparedDatabases(Consumer<DataSource> preparation) {
        this.preparation = preparation;
    }

    /** Returns a database in its first state; closing the handle gives it back. */
    public Database take(Kind kind) {
        Prepared prepared = takeIdle(kind);
        if (prepared == null) {
            prepared = prepare(kind);
        }
        Prepared taken = prepared;
        return taken.database().closedBy(() -> giveBack(taken));
    }

    private synchronized @Nullable Prepared takeIdle(Kind kind) {
        return idle.computeIfAbsent(kind, each -> new ArrayDeque<>()).poll();
    }

    private Prepared prepare(Kind kind) {
        Database database = Database.shared(kind).freshDatabase();
        preparation.accept(database.dataSource());
        try (Connection connection = database.dataSource().getConnection()) {
            return new Prepared(database, Snapshot.take(connection));
        } catch (SQLException e) {
            throw new IllegalStateException("Could not read the first state of " + database, e);
        }
    }

    private void giveBack(Prepared prepared) {
        if (restored(prepared)) {
            synchronized (this) {
                idle.computeIfAbsent(prepared.database().kind(), each -> new ArrayDeque<>())
                        .push(prepared);
            }
        } else {
            prepared.database().close();
        }
    }

    private static boolean restored(Prepared prepared) {
        try (Connection connection = prepared.database().dataSource().getConnection()) {
            return prepared.first().restore(connection);
        } catch (SQLException e) {
            // For example a lock that a test left behind: a new database has none.
            return false;
        }
    }
}
