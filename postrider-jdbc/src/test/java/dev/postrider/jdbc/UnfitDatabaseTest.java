package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.ServerOptions;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that cannot be worked with says so in words an operator can act on, and is used as soon as it fits. */
final class UnfitDatabaseTest {

    private static final String ISOLATION = "TRANSACTION_READ_COMMITTED";
    private static final OutboxMessage MESSAGE =
            OutboxMessage.to("orders", "OrderPlaced").build();

    @ParameterizedTest
    @EnumSource
    void aRelayWithoutTablesNamesTheRemedyAndDeliversOnceTheyAreThere(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION);
                RecordingPublisher publisher = new RecordingPublisher();
                Relay relay = Relay.builder(
                                JdbcOutboxStore.builder(fixture.pool()).build(), publisher)
                        .build()) {
            relay.start();
            awaitFailure(relay, "are missing: run OutboxSchema.migrate()");

            OutboxSchema.of(fixture.pool()).migrate();
            enqueue(fixture.pool());

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(publisher.received()).isNotEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRelayOnTablesOfAnotherVersionNamesTheRemedyAndClaimsNothing(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                RecordingPublisher publisher = new RecordingPublisher();
                Relay relay = Relay.builder(
                                JdbcOutboxStore.builder(fixture.pool()).build(), publisher)
                        .build()) {
            enqueue(fixture.pool());
            fixture.execute("delete from outbox_schema_version where version > 1");

            relay.start();

            awaitFailure(relay, "version 1 but this library needs 7");
            assertThat(publisher.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEnqueueWithoutTablesNamesTheRemedy(Kind kind) {
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            assertThatThrownBy(() -> enqueue(fixture.pool()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("are missing: run OutboxSchema.migrate()");
        }
    }

    @Test
    void aStandbyIsNamedByEveryoneAndServesAsSoonAsItIsPromoted() throws SQLException {
        Kinds.require(Kind.POSTGRES_18);
        try (Database database = Database.start(Kind.POSTGRES_18);
                RecordingPublisher publisher = new RecordingPublisher()) {
            DataSource standby = database.dataSource();
            OutboxSchema.of(standby).migrate();
            enqueue(standby);
            database.restartAsStandby();

            assertThatThrownBy(OutboxSchema.of(standby)::validate).hasMessageContaining("connect to the primary");
            assertThatThrownBy(() -> enqueue(standby))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("connect to the primary");
            assertThat(JdbcOutboxAdmin.of(standby).find(MESSAGE.id())).isPresent();

            try (Relay relay = Relay.builder(JdbcOutboxStore.builder(standby).build(), publisher)
                    .build()) {
                relay.start();
                awaitFailure(relay, "connect to the primary");
                assertThat(publisher.received()).isEmpty();

                promote(standby);

                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(publisher.received()).hasSize(1));
            }
            assertThatCode(OutboxSchema.of(standby)::validate).doesNotThrowAnyException();
        }
    }

    @Test
    void aBinaryLogOfStatementsIsRefusedWithTheRemedy() {
        Kinds.require(Kind.MARIADB);
        ServerOptions options =
                ServerOptions.defaults().withSettings(Map.of("log-bin", "binary", "binlog-format", "STATEMENT"));
        try (Database database = Database.start(Kind.MARIADB, options)) {
            assertThatThrownBy(OutboxSchema.of(database.dataSource())::migrate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("set binlog_format to ROW or MIXED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aUserWithoutAPrivilegeIsTold(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            boolean postgres = kind == Kind.POSTGRES_18;
            String user = "reader" + UUID.randomUUID().toString().substring(0, 8);
            fixture.execute(
                    postgres
                            ? "create role %s login password 'secret'".formatted(user)
                            : "create user %s identified by 'secret'".formatted(user));
            fixture.execute("grant select on outbox_gate to " + user);
            try (HikariDataSource pool = fixture.poolOf(user, "secret")) {
                JdbcOutboxStore store = JdbcOutboxStore.builder(pool).build();

                assertThatThrownBy(() -> store.renew("relay", Duration.ofSeconds(2)))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageContaining("lacks a privilege");
            } finally {
                fixture.execute(
                        postgres
                                ? new String[] {"drop owned by " + user, "drop role " + user}
                                : new String[] {"drop user " + user});
            }
        }
    }

    private static void awaitFailure(Relay relay, String text) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(relay.health().failure())
                        .hasValueSatisfying(failure -> assertThat(failure).contains(text)));
    }

    private static void enqueue(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueue(connection, MESSAGE);
            connection.commit();
        }
    }

    private static void promote(DataSource standby) throws SQLException {
        try (Connection connection = standby.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_promote()");
        }
    }
}
