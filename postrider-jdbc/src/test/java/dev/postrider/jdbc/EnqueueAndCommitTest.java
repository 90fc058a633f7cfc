package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that travels with the commit is as safe as one that came before it. */
@Tag("R1.2")
final class EnqueueAndCommitTest {

    private static final JdbcOutbox OUTBOX = JdbcOutbox.create();

    @ParameterizedTest
    @EnumSource
    void messageAndBusinessDataAreCommitted(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);

            Receipt receipt = OUTBOX.enqueueAndCommit(connection, plain());
            connection.rollback();

            assertThat(receipt.inserted()).isTrue();
            assertThat(count(fixture, "business")).isEqualTo(1);
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theConnectionCanBeUsedAgain(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            // Often enough for a driver that prepares a statement on the server after some uses.
            for (int i = 0; i < 12; i++) {
                insert(connection, i);
                OUTBOX.enqueueAndCommit(connection, plain());
            }
            insert(connection, 100);
            connection.rollback();

            assertThat(count(fixture, "business")).isEqualTo(12);
            assertThat(count(fixture, "outbox_message")).isEqualTo(12);
        }
    }

    @ParameterizedTest
    @EnumSource
    void severalAreCommittedInOrder(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);

            List<Receipt> receipts = OUTBOX.enqueueAndCommit(connection, List.of(plain(), deduped(), deduped()));
            connection.rollback();

            assertThat(receipts).extracting(Receipt::inserted).containsExactly(true, true, false);
            assertThat(count(fixture, "outbox_message")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutMessagesItIsACommit(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);

            assertThat(OUTBOX.enqueueAndCommit(connection, List.of())).isEmpty();
            connection.rollback();

            assertThat(count(fixture, "business")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.5")
    void aDuplicateOfADedupeKeyCommitsTheBusinessDataOnly(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            Receipt first = OUTBOX.enqueueAndCommit(connection, deduped());
            insert(connection, 2);

            Receipt second = OUTBOX.enqueueAndCommit(connection, deduped());
            connection.rollback();

            assertThat(first.inserted()).isTrue();
            assertThat(second.inserted()).isFalse();
            assertThat(second.id()).isEqualTo(first.id());
            assertThat(count(fixture, "business")).isEqualTo(2);
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRowCommitsNothing(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind)) {
            OutboxMessage message = plain();
            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                OUTBOX.enqueueAndCommit(connection, message);
            }
            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, 1);

                assertThatThrownBy(() -> OUTBOX.enqueueAndCommit(connection, message))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageContaining("Could not enqueue");
                if (!connection.isClosed()) {
                    connection.rollback();
                }
            }

            assertThat(count(fixture, "business")).isZero();
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
    void aRefusedEnqueueLeavesTheConnectionToItsCaller(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            OutboxMessage message = plain();
            connection.setAutoCommit(false);
            OUTBOX.enqueueAndCommit(connection, message);
            insert(connection, 1);

            assertThatThrownBy(() -> OUTBOX.enqueue(connection, message)).isInstanceOf(OutboxException.class);

            connection.rollback();
            insert(connection, 2);
            OUTBOX.enqueueAndCommit(connection, plain());
            assertThat(count(fixture, "business")).isEqualTo(1);
            assertThat(count(fixture, "outbox_message")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatOverlooksARefusedEnqueueCommitsNothing(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind)) {
            OutboxMessage message = plain();
            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                OUTBOX.enqueueAndCommit(connection, message);
                insert(connection, 1);
                assertThatThrownBy(() -> OUTBOX.enqueue(connection, message)).isInstanceOf(OutboxException.class);

                assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> OUTBOX.enqueue(connection, plain())).isInstanceOf(OutboxException.class);
                if (!connection.isClosed()) {
                    connection.commit();
                }
            }

            assertThat(count(fixture, "business")).isZero();
            assertThat(count(fixture, "outbox_message")).isEqualTo(1);
            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, 3);
                OUTBOX.enqueueAndCommit(connection, plain());
            }
            assertThat(count(fixture, "business")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R1.4")
    void anAutoCommitConnectionIsRefused(Kind kind) throws SQLException {
        try (Fixture fixture = fixture(kind);
                Connection connection = fixture.pool().getConnection()) {
            assertThatThrownBy(() -> OUTBOX.enqueueAndCommit(connection, plain()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("setAutoCommit(false)");

            assertThat(count(fixture, "outbox_message")).isZero();
        }
    }

    private static Fixture fixture(Kind kind) {
        Fixture fixture = Fixture.create(Kinds.require(kind));
        fixture.execute("create table business (id int primary key)");
        return fixture;
    }

    private static void insert(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into business values (%d)".formatted(id));
        }
    }

    private static OutboxMessage plain() {
        return OutboxMessage.to("orders", "Placed").key("a").build();
    }

    private static OutboxMessage deduped() {
        return OutboxMessage.to("orders", "Placed").dedupeKey("order-1").build();
    }

    private static int count(Fixture fixture, String table) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}
