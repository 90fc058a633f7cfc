package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Messages with values that a database refuses. They must not block those that come after them. */
@Tag("R0.7")
@Tag("B5")
final class UnstorableTest {

    private static final String ORDERS = "\u8ba2\u5355";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageWhoseTopicHoldsAZeroIsHandledAsAnyOther(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (Dedupe dedupe : Dedupe.values()) {
                Inbox inbox = desk.inbox().dedupe(dedupe).parkAfter(2).build();
                String id = "good-" + dedupe;
                ReceivedMessage good = strange(id, 1);
                ReceivedMessage bad = strange("bad-" + dedupe, 2);

                assertThat(inbox.process(good, CONSUMER, effect(id))).isInstanceOf(Processed.class);
                assertThat(inbox.process(good, CONSUMER, effect(id))).isEqualTo(new Duplicate<>());
                assertThatThrownBy(() -> inbox.process(bad, CONSUMER, failing()))
                        .isInstanceOfSatisfying(
                                InboxException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.HANDLER_FAILED));
                assertThat(inbox.process(bad, CONSUMER, failing())).isEqualTo(new Parked<>(ParkReason.FAILED));
                assertThat(inbox.process(strange("next-" + dedupe, 3), CONSUMER, effect("next")))
                        .isEqualTo(new Parked<>(ParkReason.BEHIND));
                assertThat(desk.admin().parked(CONSUMER, 0, 10))
                        .extracting(parked -> parked.message().topic())
                        .containsOnly("or\0ders" + dedupe);

                desk.admin().release(CONSUMER, List.of("bad-" + dedupe), new Decision("ada", "repaired"));
                assertThat(inbox.processReleased(CONSUMER, 10, (message, transaction) -> {}))
                        .isEqualTo(2);
            }
        }
    }

    private static ReceivedMessage strange(String id, long sequence) {
        return ReceivedMessage.from("or\0ders" + id.substring(id.indexOf('-') + 1))
                .id(id)
                .key("k\0")
                .sequence(sequence)
                .type("Order\0Placed")
                .source("or\0ders-0@1")
                .header("h\0", "v\0")
                .build();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void messageThatTheDatabaseRefusesIsCountedAndParked(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            desk.execute(sourceOfMarks(kind, 5));
            Inbox inbox = desk.inbox().parkAfter(2).build();

            assertThatThrownBy(() -> inbox.process(from("orders-0@42"), CONSUMER, effect("m1")))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNSTORABLE));
            assertThat(desk.admin().lookup(CONSUMER, "m1"))
                    .hasValueSatisfying(entry -> assertThat(entry.attempts()).isEqualTo(1));
            assertThat(inbox.process(from("orders-0@42"), CONSUMER, effect("m1")))
                    .isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(desk.effects()).isZero();

            desk.execute(sourceOfMarks(kind, 200));
            desk.admin().release(CONSUMER, List.of("m1"), new Decision("ada", "widened"));
            assertThat(inbox.processReleased(
                            CONSUMER, 10, (message, transaction) -> effect("m1").handle(transaction)))
                    .isEqualTo(1);
        }
    }

    // MariaDB claims a batch with IGNORE, which cuts the source.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MYSQL", "H2"})
    @Tag("I8")
    void messageThatTheDatabaseRefusesDoesNotTakeItsBatchDown(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            desk.execute(sourceOfMarks(kind, 5));
            Inbox inbox = desk.inbox().parkAfter(1).build();
            ReceivedMessage good = ReceivedMessage.from("orders").id("m2").build();

            InboxBatchResult result = inbox.processBatch(
                    CONSUMER,
                    List.of(from("orders-0@42"), good),
                    (messages, transaction) -> effect("m2").handle(transaction));

            assertThat(result.entries()).extracting(Entry::outcome).containsExactly(Outcome.PARKED, Outcome.PROCESSED);
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    @Tag("I3")
    void textThatTheEncodingLacksIsReplacedSoThatItsMessageIsParkedWhole(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind)) {
            DataSource latin = latin(desk);
            Inbox inbox = JdbcInbox.builder(latin).parkAfter(1).build();
            InboxAdmin admin = JdbcInboxAdmin.of(latin);
            ReceivedMessage message = ReceivedMessage.from(ORDERS)
                    .id("m1")
                    .key(ORDERS)
                    .type(ORDERS)
                    .source(ORDERS + "-0@1")
                    .header("postrider-namespace", ORDERS)
                    .payload(new byte[] {0, -1})
                    .build();
            ReceivedMessage withoutId =
                    ReceivedMessage.from(ORDERS).source(ORDERS + "-0@2").build();

            assertThat(inbox.process(message, CONSUMER, transaction -> "done"))
                    .isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(inbox.process(withoutId, CONSUMER, transaction -> "done"))
                    .isEqualTo(new Parked<>(ParkReason.NO_ID));

            assertThat(admin.parked(CONSUMER, 0, 10)).hasSize(2).first().satisfies(parked -> {
                assertThat(parked.message().topic()).isEqualTo(ORDERS);
                assertThat(parked.message().key()).hasValue(ORDERS);
                assertThat(parked.message().headers()).containsEntry("postrider-namespace", ORDERS);
                assertThat(parked.message().source()).hasValue("??-0@1");
                assertThat(parked.message().payload()).containsExactly(0, -1);
                assertThat(parked.error()).isNotNull();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void callerIsToldThatTheDatabaseRefusesTheMessage(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            desk.execute(
                    kind == Kind.MARIADB || kind == Kind.MYSQL
                            ? "alter table inbox_message modify message_id varchar(5) not null"
                            : kind == Kind.H2
                                    ? "alter table inbox_message alter column message_id varchar(5) not null"
                                    : "alter table inbox_message alter column message_id type varchar(5)");
            connection.setAutoCommit(false);
            Inbox inbox = desk.inbox().build();

            assertThatThrownBy(() -> inbox.process("message-1", CONSUMER, connection, effect("m1")))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNSTORABLE));
        }
    }

    private static DataSource latin(Desk desk) throws SQLException {
        if (desk.kind() != Kind.POSTGRES_18) {
            String latin = "character set latin1";
            desk.execute(
                    "alter table inbox_message modify source varchar(200) " + latin,
                    "alter table inbox_failure modify topic varchar(255) %1$s, modify type varchar(250) %1$s,"
                                    .formatted(latin)
                            + " modify source varchar(200) %1$s, modify message_key varchar(250) %1$s,".formatted(latin)
                            + " modify error varchar(500) %1$s, modify headers mediumtext %1$s".formatted(latin));
            return desk.pool();
        }
        String name = desk.database().name() + "_latin";
        desk.execute("create database " + name + " encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0");
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(desk.database().jdbcUrl());
        source.setDatabaseName(name);
        source.setUser(desk.database().user());
        source.setPassword(desk.database().password());
        InboxSchema.of(source).migrate();
        return source;
    }

    private static ReceivedMessage from(String source) {
        return ReceivedMessage.from("orders").id("m1").source(source).build();
    }

    private static InboxHandler<String> failing() {
        return transaction -> {
            throw new IllegalStateException("bad\0" + ORDERS);
        };
    }

    private static String sourceOfMarks(Kind kind, int length) {
        String change = switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> "alter column source type varchar";
            case MARIADB, MYSQL -> "modify source varchar";
            case H2 -> "alter column source varchar";
        };
        return "alter table inbox_message %s(%d)".formatted(change, length);
    }
}
