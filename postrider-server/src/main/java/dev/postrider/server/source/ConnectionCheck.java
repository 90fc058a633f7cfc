package dev.postrider.server.source;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Opens one connection before the pool does. The pool would log the error of a wrong URL or password with its stack and
 * wait for its time-out; this says it in one line at once.
 */
final class ConnectionCheck implements BeanPostProcessor {

    private static final int LOGIN_SECONDS = 10;

    private final String source;

    ConnectionCheck(String source) {
        this.source = source;
    }

    /** Spring Boot would name the class of a driver that it knows and that is not here. */
    static void requireDriver(SourceSettings settings) {
        String url = settings.value("spring.datasource.url");
        if (url.isEmpty() || settings.has("spring.datasource.driver-class-name")) {
            return;
        }
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new ConnectionCheck(settings.name()).noDriver(url, e);
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof HikariDataSource pool && pool.getJdbcUrl() != null) {
            check(pool, pool.getJdbcUrl());
        }
        return bean;
    }

    private void check(HikariDataSource pool, String url) {
        Properties properties = new Properties();
        pool.getDataSourceProperties().forEach((name, value) -> properties.put(name.toString(), value.toString()));
        put(properties, "user", pool.getUsername());
        put(properties, "password", pool.getPassword());
        DriverManager.setLoginTimeout(LOGIN_SECONDS);
        try (Connection connection = driver(pool, url).connect(url, properties)) {
            if (connection == null) {
                throw noDriver(url, null);
            }
        } catch (SQLException e) {
            throw new StartException(StartException.CANNOT_CONNECT, line(url, e), e);
        }
    }

    private static void put(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.put(name, value);
        }
    }

    private Driver driver(HikariDataSource pool, String url) {
        try {
            String named = pool.getDriverClassName();
            if (named != null) {
                return Class.forName(named)
                        .asSubclass(Driver.class)
                        .getDeclaredConstructor()
                        .newInstance();
            }
            return DriverManager.getDriver(url);
        } catch (SQLException | ReflectiveOperationException e) {
            throw noDriver(url, e);
        }
    }

    private StartException noDriver(String url, @Nullable Exception cause) {
        return new StartException(
                StartException.USAGE,
                "Source %s: there is no JDBC driver for %s; drivers for PostgreSQL, MariaDB and H2 are included"
                        .formatted(source, JdbcUrl.shown(url)),
                cause);
    }

    private String line(String url, SQLException error) {
        String state = error.getSQLState() == null ? "" : error.getSQLState().toUpperCase(Locale.ROOT);
        String where = JdbcUrl.shown(url);
        // 28000 is H2's and MariaDB's code for a wrong user or password, 28P01 is PostgreSQL's.
        if (state.startsWith("28")) {
            return "Source %s: the database %s refused the user or the password: correct spring.datasource.username and"
                            .formatted(source, where)
                    + " spring.datasource.password";
        }
        return "Source %s: cannot connect to %s: %s".formatted(source, where, JdbcUrl.shown(error.getMessage()));
    }
}
