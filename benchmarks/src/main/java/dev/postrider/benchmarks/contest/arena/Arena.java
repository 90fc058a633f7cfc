package dev.postrider.benchmarks.contest.arena;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * What a contender runs on: one database for itself, and one sink.
 *
 * @param url the JDBC URL, without user and password
 * @param kind what the sink is, for contenders that have a way of their own to get there
 * @param broker the broker's address; empty if there is none
 */
public record Arena(String url, String user, String password, SinkKind kind, String broker, Sink sink) {

    /** The SQL of the business change, for contenders that bring their own JDBC access. */
    public static final String ORDER = "insert into orders (customer, amount, note) values (?, ?, ?)";

    public static Arena of(Parameters parameters, Sink sink) {
        return new Arena(
                parameters.text("url"),
                parameters.text("user"),
                parameters.text("password"),
                SinkKind.valueOf(parameters.text("sink")),
                parameters.text("broker"),
                sink);
    }

    /** Whether the database is PostgreSQL; otherwise it is MariaDB. */
    public boolean postgres() {
        return url.startsWith("jdbc:postgresql:");
    }

    /** Opens a pool of a fixed size. */
    public HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(poolUrl());
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(60));
        return new HikariDataSource(config);
    }

    /** The URL everybody's pool uses: multi-row inserts where the driver can rewrite a batch to them. */
    public String poolUrl() {
        return postgres() ? url + (url.contains("?") ? "&" : "?") + "reWriteBatchedInserts=true" : url;
    }

    /** Makes the business change on a plain connection. */
    public static void order(Connection connection, int number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ORDER)) {
            insert.setString(1, customer(number));
            insert.setBigDecimal(2, amount(number));
            insert.setString(3, "note");
            insert.executeUpdate();
        }
    }

    /** The customer of an order. */
    public static String customer(int number) {
        return "c" + number % 1_000;
    }

    /** The amount of an order. */
    public static BigDecimal amount(int number) {
        return BigDecimal.valueOf(number % 5_000);
    }

    /** Executes statements, each in a transaction of its own, on a connection outside every pool. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the first column of the only row. */
    public String query(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private Connection connection() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }
}
