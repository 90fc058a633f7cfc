package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.Outlet;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The routine that enqueues for programs in any language computes what this library does. */
@Tag("B6")
@Tag("R4.2")
final class EnqueueRoutineTest {

    private static final String PAYLOAD = "{\"a\": \"größe\"}";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18", "MARIADB", "MYSQL"})
    @Tag("B1")
    void whatItEnqueuesIsDelivered(Kind kind) throws SQLException {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            List<@Nullable String> keys = keys();
            for (String key : keys) {
                call(outlet.fixture(), key, null);
            }

            outlet.startRelay();

            outlet.await(() -> outlet.count(MessageStatus.DELIVERED) == keys.size());
            assertThat(outlet.heard()).isEmpty();
            assertThat(outlet.received())
                    .extracting(message -> message.key().orElse(null))
                    .containsExactlyInAnyOrderElementsOf(keys);
            assertThat(outlet.received()).allSatisfy(message -> {
                assertThat(message.payload()).asString().isEqualTo(PAYLOAD);
                assertThat(message.headers()).containsEntry("trace", "abc");
                assertThat(message.id().version()).isEqualTo(7);
                assertThat(message.id().variant()).isEqualTo(2);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18", "MARIADB", "MYSQL"})
    void theIdOfADedupeKeyIsTheOneThatThisLibraryGivesIt(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            for (String dedupeKey : List.of("request-42", "Größe|🐎")) {
                call(fixture, "42", dedupeKey);

                OutboxMessage same = OutboxMessage.to("orders", "Tür|offen 🐎")
                        .dedupeKey(dedupeKey)
                        .build();
                assertThat(fixture.stored(same).message().dedupeKey()).contains(dedupeKey);
                assertThat(fixture.stored(same).defect()).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aSecondMessageOfADedupeKeyIsNotEnqueuedAndHasTheIdOfTheFirst(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            UUID first = call(fixture, "42", "request-42");

            UUID second = call(fixture, "43", "request-42");

            assertThat(second).isEqualTo(first);
            assertThat(fixture.number("select count(*) from outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aSecondMessageOfADedupeKeyIsADuplicateKeyError(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            call(fixture, "42", "request-42");

            assertThatThrownBy(() -> call(fixture, "43", "request-42"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(1_062));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void theShardIsThatOfEveryKey(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection();
                PreparedStatement query = connection.prepareStatement("select outbox_shard_of(?)")) {
            List<String> keys = IntStream.range(0, 300)
                    .mapToObj(i -> "k%x🐎ß".formatted(i * 7_919).repeat(1 + i % 20))
                    .toList();

            for (String key : keys) {
                query.setString(1, key);
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    assertThat(row.getInt(1))
                            .as(key)
                            .isEqualTo(Shards.of(OutboxMessage.to("orders", "placed")
                                    .key(key)
                                    .build()));
                }
            }
        }
    }

    @Test
    void aRoleThatMayOnlyInsertEnqueues() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            fixture.execute(
                    "create role producer_of_routine login password 'secret'",
                    "grant insert on outbox_message to producer_of_routine");
            try (HikariDataSource pool = fixture.poolOf("producer_of_routine", "secret");
                    Connection connection = pool.getConnection();
                    PreparedStatement query = connection.prepareStatement(
                            "select outbox_enqueue('orders', '42', 'placed', '{}', dedupe_key => 'request-1')")) {
                assertThat(query.execute()).isTrue();
                assertThat(query.execute()).as("the second time").isTrue();
            } finally {
                fixture.execute(
                        "revoke all on outbox_message from producer_of_routine", "drop role producer_of_routine");
            }
            assertThat(fixture.number("select count(*) from outbox_message")).isEqualTo(1);
        }
    }

    @Test
    void everyValueOfAMessageMayBeGivenByName() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            UUID id = UUID.fromString("018f0000-0000-7000-8000-000000000001");

            fixture.execute("""
                    select outbox_enqueue(topic => 'orders', key => null, type => 'placed', payload => 'x',
                                          headers => '{"a": "b"}', namespace => 'shop', version => 3, tenant => 'acme',
                                          content_type => 'text/plain', max_attempts => 4, due_at => '2999-01-01Z',
                                          id => '%s')
                    """.formatted(id));

            OutboxMessage expected = OutboxMessage.to("orders", "placed")
                    .id(id)
                    .namespace("shop")
                    .version(3)
                    .tenant("acme")
                    .contentType("text/plain")
                    .maxAttempts(4)
                    .header("a", "b")
                    .payload("x")
                    .build();
            OutboxMessage stored = fixture.stored(expected).message();
            assertThat(stored.namespace()).isEqualTo("shop");
            assertThat(stored.version()).isEqualTo(3);
            assertThat(stored.tenant()).contains("acme");
            assertThat(stored.contentType()).isEqualTo("text/plain");
            assertThat(stored.maxAttempts()).isEqualTo(expected.maxAttempts());
            assertThat(fixture.stored(expected).times().due()).isNotNull();
            assertThat(fixture.number("select shard from outbox_message")).isEqualTo(Shards.of(expected));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void tablesOfAnotherNameHaveARoutineOfTheirOwn(Kind kind) {
        TableNames names = TableNames.of("billing_");
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema.of(fixture.pool(), names).migrate();

            fixture.execute(
                    kind == Kind.POSTGRES_18
                            ? "select billing_enqueue('invoices', '42', 'sent', '{}')"
                            : "call billing_enqueue('invoices', '42', 'sent', '{}', null, null)");

            assertThat(fixture.number("select count(*) from billing_message")).isEqualTo(1);
            assertThat(fixture.number("select count(*) from outbox_message")).isZero();
        }
    }

    private static List<@Nullable String> keys() {
        return Arrays.asList("42", "order-4711", "größe", "🐎", " a ", "x".repeat(250), null);
    }

    /** Enqueues by the routine, and returns the id where it tells. */
    private static @Nullable UUID call(Fixture fixture, @Nullable String key, @Nullable String dedupeKey)
            throws SQLException {
        try (Connection connection = fixture.producers().getConnection()) {
            boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
            String sql = postgres ? "select outbox_enqueue(?, ?, ?, ?, ?, ?)" : "call outbox_enqueue(?, ?, ?, ?, ?, ?)";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, "orders");
                statement.setString(2, key);
                statement.setString(3, "Tür|offen 🐎");
                statement.setString(4, PAYLOAD);
                statement.setString(5, dedupeKey);
                statement.setString(6, "{\"trace\": \"abc\"}");
                if (!postgres) {
                    statement.execute();
                    return null;
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getObject(1, UUID.class);
                }
            }
        }
    }
}
