package dev.postrider.jdbc;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** Finds the dialect of a connection. */
final class Dialects {

    private Dialects() {}

    static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String product = metaData.getDatabaseProductName().toLowerCase(Locale.ROOT);
        // MySQL's driver calls a MariaDB server MySQL; the version tells.
        String version = metaData.getDatabaseProductVersion().toLowerCase(Locale.ROOT);
        if (product.equals("mariadb") || version.contains("mariadb")) {
            return MySqlDialect.MARIADB;
        }
        return switch (product) {
            case "postgresql" -> PostgresDialect.INSTANCE;
            case "mysql" -> MySqlDialect.MYSQL;
            case "h2" -> H2Dialect.INSTANCE;
            default ->
                throw new OutboxException("The outbox works on PostgreSQL, MariaDB, MySQL and H2 but this is %s %s"
                        .formatted(metaData.getDatabaseProductName(), metaData.getDatabaseProductVersion()));
        };
    }
}
