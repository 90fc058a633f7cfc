package dev.postrider.cli.link;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens a small pool over a JDBC URL, or says in one line why not. */
final class Databases {

    private static final int CONNECTIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_CAUSES = 20;
    private static final String H2 = "jdbc:h2:";
    private static final int H2_WRONG_LOGIN = 28_000;
    private static final int H2_MISSING = 90_146;
    private static final int H2_MISSING_FILE = 90_149;
    private static final int H2_LOCKED = 90_020;
    private static final int MYSQL_UNKNOWN_DATABASE = 1_049;

    private Databases() {}

    /**
     * Opens a pool.
     *
     * @param create whether H2 may make a database that does not exist
     */
    static HikariDataSource open(LinkTarget target, boolean create) {
        quietLibraries();
        requireDriver(target);
        HikariConfig config = new HikariConfig();
        config.setPoolName("postrider-cli");
        config.setJdbcUrl(url(target.url(), create));
        if (target.user() != null) {
            config.setUsername(target.user());
        }
        if (target.secret() != null) {
            config.setPassword(target.secret());
        }
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(1);
        properties(config, target.url());
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw problem(target, e);
        }
    }

    /** A command answers a person: what libraries log would only stand between. */
    private static void quietLibraries() {
        for (String property : new String[] {"slf4j.internal.verbosity", "org.slf4j.simpleLogger.defaultLogLevel"}) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, "error");
            }
        }
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "dev/postrider/cli/quiet-logback.xml");
        }
    }

    private static void requireDriver(LinkTarget target) {
        try {
            DriverManager.getDriver(target.url());
        } catch (SQLException e) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "There is no driver for %s; there are drivers for jdbc:postgresql, jdbc:mariadb, jdbc:mysql and jdbc:h2"
                            .formatted(target.shownUrl()),
                    e);
        }
    }

    // Without this a mistyped path would make a new, empty database.
    private static String url(String url, boolean create) {
        boolean h2 = url.startsWith(H2) && !url.toUpperCase(Locale.ROOT).contains(";IFEXISTS=");
        return h2 && !create ? url + ";IFEXISTS=TRUE" : url;
    }

    private static void properties(HikariConfig config, String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            config.addDataSourceProperty("ApplicationName", "postrider");
            config.addDataSourceProperty("connectTimeout", PATIENCE.toSeconds());
        } else if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
            config.addDataSourceProperty("connectTimeout", PATIENCE.toMillis());
        }
    }

    private static CliException problem(LinkTarget target, RuntimeException e) {
        SQLException sql = sql(e);
        String state = sql == null || sql.getSQLState() == null ? "" : sql.getSQLState();
        int code = sql == null ? 0 : sql.getErrorCode();
        return new CliException(ExitCodes.NO_CONNECTION, line(target, new Rejection(state, code, sql)), e);
    }

    private record Rejection(
            String state, int code, @Nullable SQLException sql) {}

    private static String line(LinkTarget target, Rejection rejection) {
        String at = target.shownUrl();
        if (rejection.state().startsWith("28") || rejection.code() == H2_WRONG_LOGIN) {
            return "%s refuses the user %s: wrong user or password%s"
                    .formatted(
                            at,
                            target.user() == null ? "of the URL" : "'" + target.user() + "'",
                            target.secret() == null ? " (set POSTRIDER_PASSWORD)" : "");
        }
        if (rejection.state().equals("3D000")
                || rejection.code() == MYSQL_UNKNOWN_DATABASE
                || rejection.code() == H2_MISSING
                || rejection.code() == H2_MISSING_FILE) {
            return "There is no such database: " + at;
        }
        if (rejection.code() == H2_LOCKED) {
            return "Another process has %s open; add ;AUTO_SERVER=TRUE to both URLs to share it".formatted(at);
        }
        String detail = detail(rejection.sql());
        return "Could not connect to %s: %s".formatted(at, detail.isEmpty() ? "no reason given" : detail);
    }

    private static String detail(@Nullable SQLException sql) {
        String message = sql == null || sql.getMessage() == null ? "" : sql.getMessage();
        return LinkTarget.masked(message.lines().findFirst().orElse("").strip());
    }

    private static @Nullable SQLException sql(Throwable error) {
        Throwable cause = error;
        SQLException found = null;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
            cause = cause.getCause();
        }
        return found;
    }
}
