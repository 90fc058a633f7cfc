package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transactions PostgreSQL lists as those that may still add rows. */
@Tag("B1")
class PostgresWritersTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aTransactionThatHasEnqueuedIsListedUntilItEnds(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection producer = fixture.producers().getConnection()) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
            producer.setAutoCommit(false);
            assertThat(writers(store)).isEmpty();

            enqueue(producer);
            Set<Writer> open = writers(store);
            enqueue(producer);
            Set<Writer> stillOpen = writers(store);
            producer.commit();

            assertThat(open).hasSize(1);
            assertThat(stillOpen).isEqualTo(open);
            assertThat(writers(store)).isEmpty();
        }
    }

    @Test
    void aTransactionThatOnlyReadsIsNotListed() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                Connection reader = fixture.producers().getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("select count(*) from outbox_message");

            assertThat(writers(JdbcOutboxStore.builder(fixture.pool()).build())).isEmpty();
        }
    }

    // The lock comes before the sequence, so a transaction that is about to draw one is listed already.
    @Test
    void aTransactionWithoutANumberIsListed() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                Connection producer = fixture.producers().getConnection();
                Statement statement = producer.createStatement()) {
            producer.setAutoCommit(false);
            statement.execute("lock table outbox_message in row exclusive mode");

            assertThat(writers(JdbcOutboxStore.builder(fixture.pool()).build())).hasSize(1);
        }
    }

    @Test
    void aTransactionThatIsRolledBackToASavepointIsNotListed() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                Connection producer = fixture.producers().getConnection()) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
            producer.setAutoCommit(false);
            var before = producer.setSavepoint();
            enqueue(producer);
            assertThat(writers(store)).hasSize(1);

            producer.rollback(before);

            assertThat(writers(store)).isEmpty();
        }
    }

    @Test
    void sequencesDrawnInAdvanceCannotBeTold() throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(Kind.POSTGRES_18))) {
            fixture.execute("alter table outbox_message alter column seq set cache 10");

            assertThat(JdbcOutboxStore.builder(fixture.pool()).build().writers())
                    .isEmpty();
        }
    }

    @Test
    void otherDatabasesCannotTell() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.MARIADB))) {
            assertThat(JdbcOutboxStore.builder(fixture.pool()).build().writers())
                    .isEmpty();
        }
    }

    private static Set<Writer> writers(JdbcOutboxStore store) {
        return store.writers().orElseThrow();
    }

    private static void enqueue(Connection connection) throws SQLException {
        JdbcOutbox.create()
                .enqueue(
                        connection,
                        OutboxMessage.to("orders", "placed").key("42").build());
    }
}
