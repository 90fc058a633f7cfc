package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.database.FrameworkTransaction;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that run in transactions of a framework, which holds changes back until it is told to flush them. */
@Tag("I4")
final class FrameworkTransactionsTest {

    private final List<String> heard = new ArrayList<>();
    private boolean flushFails;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void changesAreFlushedBeforeTheCommit(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().transactions(() -> begin(desk)).build();

            assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
            assertThat(heard).containsExactly("flush", "commit");
            heard.clear();
            inbox.processBatch(CONSUMER, List.of(message("m2"), message("m3")), (messages, transaction) -> {});

            assertThat(heard).containsExactly("flush", "commit");
            assertThat(desk.marks()).isEqualTo(3);
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void flushThatFailsIsAFailureOfTheHandler(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().transactions(() -> begin(desk)).build();
            flushFails = true;

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, effect("m1")))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANDLER_FAILED));

            assertThat(heard).doesNotContain("commit").contains("rollback");
            assertThat(desk.effects()).isZero();
            assertThat(desk.marks()).isZero();
            flushFails = false;
            assertThat(inbox.process("m1", CONSUMER, InboxTransaction::attempt)).isEqualTo(new Processed<>(2));
        }
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).build();
    }

    private FrameworkTransaction begin(Desk desk) throws SQLException {
        Connection connection = desk.pool().getConnection();
        connection.setAutoCommit(false);
        return new FrameworkTransaction() {

            @Override
            public Connection connection() {
                return connection;
            }

            @Override
            public void flush() throws SQLException {
                heard.add("flush");
                if (flushFails) {
                    throw new SQLException("a changed entity is not valid", "23502");
                }
            }

            @Override
            public void commit() throws SQLException {
                heard.add("commit");
                try (connection) {
                    connection.commit();
                }
            }

            @Override
            public void rollback() throws SQLException {
                heard.add("rollback");
                try (connection) {
                    connection.rollback();
                }
            }
        };
    }
}
