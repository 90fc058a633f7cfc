package dev.postrider.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spring.boot.internal.SettingsException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * The connections of the relay. It has a pool of its own, derived from the application's, because a relay that waits
 * for the application's connections loses its shards. Not a {@code DataSource} bean, so that the application still has
 * one.
 */
final class RelayPool implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RelayPool.class);
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private final DataSource dataSource;
    private final Runnable end;

    private RelayPool(DataSource dataSource, Runnable end) {
        this.dataSource = dataSource;
        this.end = end;
    }

    /** Takes the settings of the application's pool if that is HikariCP; any other pool is shared. */
    static RelayPool of(DataSource application, PostriderProperties.Relay settings) {
        if (settings.poolSize() < 0) {
            throw new SettingsException(
                    "postrider.relay.pool-size cannot be " + settings.poolSize(),
                    "Set postrider.relay.pool-size to 2 or more, or to 0 to share the application's pool",
                    null);
        }
        if (!settings.enabled() || settings.poolSize() == 0) {
            return new RelayPool(application, () -> {});
        }
        if (ClassUtils.isPresent(HIKARI, RelayPool.class.getClassLoader())) {
            HikariDataSource own = Hikari.copy(application, settings.poolSize());
            if (own != null) {
                return new RelayPool(own, own::close);
            }
        }
        log.info("The relay shares the application's connections, because {} is not a HikariCP pool", application);
        return new RelayPool(application, () -> {});
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        end.run();
    }

    /** Keeps the types of HikariCP out of the class that is loaded without it. */
    private static final class Hikari {

        static @Nullable HikariDataSource copy(DataSource application, int size) {
            try {
                if (!application.isWrapperFor(HikariDataSource.class)) {
                    return null;
                }
                HikariDataSource own = new HikariDataSource();
                application.unwrap(HikariDataSource.class).copyStateTo(own);
                own.setPoolName("postrider-relay");
                own.setMaximumPoolSize(size);
                own.setMinimumIdle(1);
                own.setAutoCommit(true);
                own.setReadOnly(false);
                return own;
            } catch (SQLException e) {
                log.debug("The data source does not say whether it is a HikariCP pool", e);
                return null;
            }
        }
    }
}
