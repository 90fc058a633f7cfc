package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.saga.RefusedCommits.Refusal;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A saga that only ever executes in one transaction needs no codec. */
@Tag("B4")
final class NoCodecTest {

    private final LocalSagaDefinition<String> definition = Saga.define("s", String.class)
            .atomicOnly()
            .step("a", Trip.action("a"))
            .step("b", Trip.action("b"))
            .build();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A1")
    void sagaWithoutACodecExecutesInItsOwnAndInTheCallersTransaction(Kind kind) throws SQLException {
        try (World world = World.create(kind)) {
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            assertThat(saga.execute("own ").orThrow()).isEqualTo("own ab");
            try (Connection connection = world.pool().getConnection()) {
                connection.setAutoCommit(false);
                assertThat(saga.execute("joined ", connection).orThrow()).isEqualTo("joined ab");
                connection.commit();
            }

            assertThat(world.effects()).containsExactly("joined a", "joined b", "own a", "own b");
            assertThat(world.strings("select ctx_codec from saga_instance")).containsExactly("none", "none");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("A3")
    void resultOfALostCommitIsKnownWithoutACodec(Kind kind) {
        for (Refusal refusal : Refusal.values()) {
            try (World world = World.create(kind)) {
                RefusedCommits commits = new RefusedCommits(world.pool(), refusal);
                LocalSaga<String> saga = SagaEngine.builder(commits.dataSource())
                        .register(definition)
                        .build()
                        .saga(definition);
                commits.refuse(1);

                assertThat(saga.execute("k ").orThrow()).isEqualTo("k ab");
                assertThat(world.effects()).containsExactly("k a", "k b");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2"})
    void executionWithAKeyAsksForACodec(Kind kind) throws SQLException {
        try (World world = World.create(kind);
                Connection connection = world.pool().getConnection()) {
            LocalSaga<String> saga = world.engine(definition).build().saga(definition);

            assertThatThrownBy(() -> saga.execute("key", "k "))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("needs codec(..) to execute with a key");
            assertThatThrownBy(() -> saga.execute("key", "k ", connection))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("needs codec(..) to execute with a key");
            assertThat(world.effects()).isEmpty();
        }
    }
}
