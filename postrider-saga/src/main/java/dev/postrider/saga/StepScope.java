package dev.postrider.saga;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.database.GuardedConnection;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The transaction of a local step as the step sees it. Of no use after the step has returned. */
final class StepScope implements StepTransaction, AutoCloseable {

    static final String CORRELATION_ID = "correlation-id";

    private final Connection connection;
    private final GuardedConnection guarded;
    private final Connection forStep;
    private final @Nullable StepTimer timer;
    private final JdbcOutbox outbox;
    private final StepAttempt<?> attempt;
    private int messages;

    StepScope(Connection connection, JdbcOutbox outbox, StepAttempt<?> attempt) throws SQLException {
        this.connection = connection;
        this.guarded = GuardedConnection.of(connection);
        this.outbox = outbox;
        this.attempt = attempt;
        Duration limit = attempt.step().rules().timeout();
        this.timer = limit == null ? null : new StepTimer(attempt.step().name(), limit);
        this.forStep = timer == null ? guarded.connection() : timer.limit(guarded.connection());
    }

    @Override
    public Connection connection() {
        return forStep;
    }

    // The outbox gets the bare connection: after an error it ends the transaction, which a step must not be able to do.
    @Override
    public Receipt enqueue(OutboxMessage message) {
        return outbox.enqueue(connection, identified(message));
    }

    private OutboxMessage identified(OutboxMessage message) {
        OutboxMessage.Builder copy = OutboxMessage.to(message.topic(), message.type())
                .namespace(message.namespace())
                .key(message.key().orElse(null))
                .version(message.version())
                .tenant(message.tenant().orElse(null))
                .dedupeKey(message.dedupeKey().orElse(null))
                .header(CORRELATION_ID, attempt.sagaId().toString())
                .headers(message.headers())
                .contentType(message.contentType())
                .payload(message.payload())
                .deliverAfter(message.deliverAfter())
                .maxAttempts(
                        message.maxAttempts().isPresent()
                                ? message.maxAttempts().getAsInt()
                                : null);
        if (message.dedupeKey().isEmpty()) {
            copy.id(attempt.messageId(messages++));
        }
        return copy.build();
    }

    @Override
    public String idempotencyKey() {
        return attempt.idempotencyKey();
    }

    @Override
    public int attempt() {
        return attempt.number();
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.ofNullable(timer).map(StepTimer::deadline);
    }

    @Override
    public UUID sagaId() {
        return attempt.sagaId();
    }

    /** Fails if the step has returned too late. */
    void checkTime() throws SQLException {
        if (timer != null) {
            timer.check();
        }
    }

    @Override
    public void close() {
        guarded.close();
    }
}
