package dev.postrider.spring.boot.internal;

import dev.postrider.OutboxException;
import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.postgres.PostgresWakeUp;
import dev.postrider.relay.CommitSignal;
import dev.postrider.spi.WakeUp;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Wakes relays in other processes by PostgreSQL's NOTIFY. On other databases relays poll. Thread-safe. */
public final class WakeUps implements AutoCloseable {

    private static final Duration QUIET = Duration.ofMillis(5);

    private final @Nullable WakeUp channel;
    private final @Nullable CommitSignal signal;

    private WakeUps(@Nullable WakeUp channel) {
        this.channel = channel;
        this.signal = channel == null ? null : new CommitSignal(channel, QUIET).start();
    }

    public static WakeUps none() {
        return new WakeUps(null);
    }

    public static WakeUps of(DataSource dataSource, TableNames names) {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.of(connection) == Dialect.POSTGRESQL
                    ? new WakeUps(PostgresWakeUp.of(dataSource, names))
                    : none();
        } catch (SQLException e) {
            throw new OutboxException("Could not connect to the database of the outbox", e);
        }
    }

    public Optional<WakeUp> channel() {
        return Optional.ofNullable(channel);
    }

    public void committed() {
        if (signal != null) {
            signal.committed();
        }
    }

    @Override
    public void close() {
        if (signal != null) {
            signal.close();
        }
        if (channel != null) {
            channel.close();
        }
    }
}
