package dev.postrider.spring.boot.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spring.boot.PostriderProperties;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * The connections of the console. A pool of its own keeps an operator's search from taking the application's
 * connections, and ends statements that take too long. Not a {@code DataSource} bean, so that the application still has
 * one.
 */
final class ConsolePool implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConsolePool.class);
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private final DataSource dataSource;
    private final Runnable end;

    private ConsolePool(DataSource dataSource, Runnable end) {
        this.dataSource = dataSource;
        this.end = end;
    }

    /** Takes the settings of the application's pool if that is HikariCP; any other pool is shared. */
    static ConsolePool of(DataSource application, PostriderProperties.Console settings) {
        if (settings.poolSize() > 0 && ClassUtils.isPresent(HIKARI, ConsolePool.class.getClassLoader())) {
            HikariDataSource own = HikariCopy.copy(application, settings);
            if (own != null) {
                return new ConsolePool(own, own::close);
            }
        }
        log.info("The console shares the application's connections, so its statements have no time limit");
        return new ConsolePool(application, () -> {});
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        end.run();
    }

    /** Keeps the types of HikariCP out of the class that is loaded without it. */
    private static final class HikariCopy {

        private static final long IDLE_MILLIS = 60_000;
        private static final long CONNECT_MILLIS = 5_000;

        static @Nullable HikariDataSource copy(DataSource application, PostriderProperties.Console settings) {
            try {
                if (!application.isWrapperFor(HikariDataSource.class)) {
                    return null;
                }
                HikariDataSource own = new HikariDataSource();
                application.unwrap(HikariDataSource.class).copyStateTo(own);
                own.setPoolName("postrider-console");
                own.setMaximumPoolSize(settings.poolSize());
                own.setMinimumIdle(0);
                own.setIdleTimeout(IDLE_MILLIS);
                own.setConnectionTimeout(CONNECT_MILLIS);
                // The console answers that the database cannot be reached; it must not fail to start for that.
                own.setInitializationFailTimeout(-1);
                own.setAutoCommit(true);
                own.setReadOnly(false);
                limit(own, settings.statementTimeout());
                return own;
            } catch (SQLException e) {
                log.debug("The data source does not say whether it is a HikariCP pool", e);
                return null;
            }
        }

        private static void limit(HikariDataSource own, Duration longest) {
            String limit = StatementLimit.sql(String.valueOf(own.getJdbcUrl()), longest);
            String first = own.getConnectionInitSql();
            if (limit == null) {
                return;
            }
            if (first == null) {
                own.setConnectionInitSql(limit);
            } else if (String.valueOf(own.getJdbcUrl()).startsWith("jdbc:postgresql:")) {
                own.setConnectionInitSql(first + "; " + limit);
            } else {
                log.info("Statements of the console have no time limit, because the pool has a connection-init-sql");
            }
        }
    }
}
