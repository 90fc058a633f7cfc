package dev.postrider.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a {@link Dialect} answers with more than a yes or no. */
interface DialectTraits {

    String folder();

    String in(String statement);

    default List<String> beforeTransaction() {
        return List.of();
    }

    default List<String> afterTransaction() {
        return List.of();
    }

    List<String> limitLockWait(Connection connection, Duration longest) throws SQLException;

    Object id(UUID id);

    UUID id(ResultSet row, int column) throws SQLException;

    Object time(Instant time);

    @Nullable Instant time(ResultSet row, String column) throws SQLException;

    void lockSchema(Connection connection, TableNames names) throws SQLException;

    void unlockSchema(Connection connection, TableNames names) throws SQLException;

    String tableSize();

    boolean readOnly(Connection connection) throws SQLException;

    default boolean refuseWrites(Connection connection) throws SQLException {
        return false;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
