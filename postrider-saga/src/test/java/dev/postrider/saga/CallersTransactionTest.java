package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A saga in the caller's transaction leaves all of itself or nothing, and needs no other connection. */
@Tag("B4")
final class CallersTransactionTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    void contextThatCannotBeEncodedLeavesNothingOfTheSaga(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> definition = Saga.define("s", String.class)
                    .codec(new RefusingCodec())
                    .atomicOnly()
                    .step("a", Trip.action("a"))
                    .step("b", step -> step.action((context, transaction) -> context + RefusingCodec.REFUSED))
                    .build();
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            try (Connection connection = begin(world)) {
                SagaResult<String> result = saga.execute("key", "k ", connection);
                connection.commit();

                assertThat(result.status()).isEqualTo(SagaStatus.ROLLED_BACK);
                assertThat(result.failure().orElseThrow().step()).isEqualTo("b");
            }
            assertThat(saga.execute("key", "k ").status()).isEqualTo(SagaStatus.ROLLED_BACK);
            assertThat(world.effects()).isEmpty();
            assertThat(world.topics()).isEmpty();
            assertThat(world.strings("select status from saga_instance")).containsExactly("ROLLED_BACK");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    void errorInAStepLeavesNothingOfTheSaga(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> definition = Trip.define()
                    .atomicOnly()
                    .step("a", Trip.action("a"))
                    .step(
                            "b",
                            step -> step.action((context, transaction) -> {
                                throw new OutOfMemoryError("made by the test");
                            }))
                    .build();
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            try (Connection connection = begin(world)) {
                World.effect(connection, "caller");
                assertThat(saga.execute("k ", connection)).isInstanceOf(SagaResult.RolledBack.class);
                connection.commit();
            }

            assertThat(world.effects()).containsExactly("caller");
            assertThat(world.topics()).isEmpty();
            assertThat(world.strings("select status from saga_instance")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A4")
    void keyThatIsTakenIsAnsweredFromAPoolOfOneConnection(Kind kind) throws SQLException {
        try (World world = World.create(kind);
                HikariDataSource one = poolOfOne(world)) {
            LocalSagaDefinition<String> definition =
                    Trip.define().step("a", Trip.step("a")).build();
            LocalSaga<String> saga =
                    SagaEngine.builder(one).register(definition).build().saga(definition);
            SagaResult<String> first = saga.execute("executed", "k ");
            SagaHandle<String> started = saga.start("started", "k ");

            try (Connection connection = one.getConnection()) {
                connection.setAutoCommit(false);

                assertThat(saga.execute("executed", "k ", connection)).isEqualTo(first);
                assertThat(saga.execute("started", "k ", connection))
                        .isInstanceOf(SagaResult.Running.class)
                        .extracting(SagaResult::sagaId)
                        .isEqualTo(started.sagaId());
                assertThat(saga.start("started", "k ", connection).sagaId()).isEqualTo(started.sagaId());
                connection.rollback();
            }
            assertThat(world.effects()).containsExactly("k a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A4")
    void keyThatTheSameTransactionTookIsOneSaga(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> definition =
                    Trip.define().step("a", Trip.step("a")).build();
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            try (Connection connection = begin(world)) {
                SagaResult<String> first = saga.execute("executed", "k ", connection);
                assertThat(saga.execute("executed", "other ", connection)).isEqualTo(first);
                SagaHandle<String> started = saga.start("started", "k ", connection);
                assertThat(saga.start("started", "k ", connection).sagaId()).isEqualTo(started.sagaId());
                connection.commit();
            }

            assertThat(world.effects()).containsExactly("k a");
            assertThat(world.strings("select saga_id from saga_instance")).hasSize(2);
        }
    }

    // PostgreSQL refuses the insert with a serialization failure; in H2 only READ COMMITTED is served.
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("A4")
    void keyTakenAfterTheSnapshotOfTheCallerIsAnswered(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            LocalSagaDefinition<String> definition =
                    Trip.define().step("a", Trip.step("a")).build();
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            try (Connection connection = world.pool().getConnection()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("set session innodb_lock_wait_timeout = 60");
                    statement.execute("select count(*) from saga_instance");
                }
                SagaResult<String> first = saga.execute("key", "k ");

                assertThat(saga.execute("key", "k ", connection)).isEqualTo(first);
                connection.rollback();
            }
        }
    }

    private static Connection begin(World world) throws SQLException {
        Connection connection = world.pool().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static HikariDataSource poolOfOne(World world) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(world.pool());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }
}
