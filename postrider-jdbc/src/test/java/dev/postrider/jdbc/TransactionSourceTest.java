package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.MessageStatus;
import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PayloadCodec;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TransactionSourceTest {

    /** Hands out one connection and notes what it got back. */
    private static final class OneConnection implements TransactionSource {

        private final Connection connection;
        private final List<Connection> released = new ArrayList<>();

        OneConnection(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public void release(Connection taken) {
            released.add(taken);
        }
    }

    @ParameterizedTest
    @EnumSource
    void enqueueWithoutConnectionJoinsTheTransactionOfTheSource(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            OneConnection source = new OneConnection(connection);
            Outbox outbox = JdbcOutbox.builder().transactions(source).build();

            outbox.enqueue(message());
            connection.rollback();
            Receipt receipt = outbox.enqueue(message());
            connection.commit();

            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 10))
                    .extracting(stored -> stored.message().id())
                    .containsExactly(receipt.id());
            assertThat(source.released).containsExactly(connection, connection);
        }
    }

    @Test
    void connectionIsReleasedWhenTheEnqueueIsRefused() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.H2));
                Connection connection = fixture.pool().getConnection()) {
            OneConnection source = new OneConnection(connection);
            Outbox outbox = JdbcOutbox.builder().transactions(source).build();

            assertThatThrownBy(() -> outbox.enqueue(message()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("setAutoCommit(false)");

            assertThat(source.released).containsExactly(connection);
        }
    }

    @Test
    void outboxWithoutSourceExplainsWhatToCall() {
        Outbox outbox = JdbcOutbox.create();

        assertThatThrownBy(() -> outbox.enqueue(message()))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("enqueue(connection, message)");
    }

    @ParameterizedTest
    @EnumSource
    void objectBecomesThePayloadThatTheCodecSays(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox outbox = JdbcOutbox.builder()
                    .transactions(new OneConnection(connection))
                    .codec(new Digits())
                    .build();

            outbox.enqueue("orders", "42", 1);
            outbox.on(connection).enqueue("orders", null, 2);
            connection.commit();

            assertThat(JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 10))
                    .extracting(
                            stored -> stored.message().type(),
                            stored -> stored.message().key().orElse("none"),
                            stored -> new String(stored.message().payload(), StandardCharsets.UTF_8))
                    .containsExactlyInAnyOrder(tuple("number", "42", "1"), tuple("number", "none", "2"));
        }
    }

    @Test
    void outboxWithoutCodecRefusesAnObjectAndNamesItsClass() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.H2));
                Connection connection = fixture.pool().getConnection()) {
            JdbcOutbox outbox = JdbcOutbox.create();

            for (Outbox each : List.of(outbox, outbox.on(connection))) {
                assertThatThrownBy(() -> each.enqueue("orders", "42", Integer.valueOf(1)))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageContaining("java.lang.Integer")
                        .hasMessageContaining("codec(...)");
            }
        }
    }

    /** Writes numbers as their digits. */
    private static final class Digits implements PayloadCodec {

        @Override
        public OutboxMessage.Builder message(String topic, Object value) {
            return OutboxMessage.to(topic, "number").payload(value.toString());
        }

        @Override
        public Object decode(String type, int version, byte[] payload) {
            return Integer.valueOf(new String(payload, StandardCharsets.UTF_8));
        }
    }

    private static OutboxMessage message() {
        return OutboxMessage.to("orders", "placed").build();
    }
}
