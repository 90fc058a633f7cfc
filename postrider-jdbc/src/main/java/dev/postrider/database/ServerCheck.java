package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a server has the version and the settings that Postrider needs, and what to do if not. */
final class ServerCheck {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final String BINARY_LOG = "show variables where variable_name in ('log_bin', 'binlog_format')";

    private ServerCheck() {}

    static void requireFit(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        if (dialect != Dialect.MARIADB && dialect != Dialect.MYSQL) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            String version;
            try (ResultSet row = statement.executeQuery("select version()")) {
                row.next();
                version = row.getString(1);
            }
            refuse(tooOld(dialect, version));
            boolean logs = false;
            boolean statements = false;
            try (ResultSet rows = statement.executeQuery(BINARY_LOG)) {
                while (rows.next()) {
                    logs |= rows.getString(1).equalsIgnoreCase("log_bin")
                            && rows.getString(2).equalsIgnoreCase("ON");
                    statements |= rows.getString(2).equalsIgnoreCase("STATEMENT");
                }
            }
            refuse(binaryLog(logs && statements));
        }
    }

    private static void refuse(Optional<String> obstacle) {
        obstacle.ifPresent(text -> {
            throw new OutboxException(text);
        });
    }

    /** Returns why this version is too old. */
    static Optional<String> tooOld(Dialect dialect, String version) {
        boolean mariaDb = dialect == Dialect.MARIADB;
        long least = mariaDb ? number(10, 7, 0) : number(8, 0, 19);
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches() || number(part(parts, 1), part(parts, 2), part(parts, 3)) >= least) {
            return Optional.empty();
        }
        return Optional.of("The server has version %s, but Postrider needs %s or newer"
                .formatted(version, mariaDb ? "MariaDB 10.7" : "MySQL 8.0.19"));
    }

    private static Optional<String> binaryLog(boolean ofStatements) {
        return ofStatements
                ? Optional.of(
                        "The server writes its binary log with binlog_format = STATEMENT, which refuses changes at"
                                + " READ COMMITTED: set binlog_format to ROW or MIXED")
                : Optional.empty();
    }

    private static int part(Matcher version, int group) {
        return Integer.parseInt(version.group(group));
    }

    private static long number(int major, int minor, int patch) {
        return (major * 1_000L + minor) * 1_000L + patch;
    }
}
