package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageLimits;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a listener hears of an enqueue. */
@Tag("R4.8")
final class EnqueueListenerTest {

    private final List<OutboxMessage> heard = new ArrayList<>();
    private final JdbcOutbox outbox = JdbcOutbox.builder()
            .limits(MessageLimits.defaults().withMaxPayloadBytes(10))
            .listener(heard::add)
            .build();

    @ParameterizedTest
    @EnumSource
    void whatWasInsertedIsToldOnceAndInOrder(Kind kind) throws SQLException {
        OutboxMessage plain = OutboxMessage.to("orders", "Placed").build();
        OutboxMessage once = OutboxMessage.to("orders", "Paid").dedupeKey("42").build();
        OutboxMessage last = OutboxMessage.to("orders", "Shipped").build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);

            outbox.enqueueAll(connection, List.of(plain, once, once));
            outbox.on(connection).enqueue(once);
            outbox.on(connection).enqueue(last);

            assertThat(heard).as("before the commit").containsExactly(plain, once, last);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasRefusedIsNotTold(Kind kind) throws SQLException {
        OutboxMessage message = OutboxMessage.to("orders", "Placed").build();
        OutboxMessage large =
                OutboxMessage.to("orders", "Placed").payload(new byte[11]).build();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueue(connection, message);
            connection.commit();

            assertThatThrownBy(() -> outbox.enqueueAll(connection, List.of(message, large)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> outbox.enqueue(connection, message)).isInstanceOf(OutboxException.class);

            assertThat(heard).isEmpty();
        }
    }
}
