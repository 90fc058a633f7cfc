package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A settlement and a take-over of its shard that run at the same time exclude each other. */
@Tag("R1.10")
final class TakeOverRaceTest {

    // The locks that a settlement holds while it runs.
    private static final String POSTGRES_FENCE = "select id from outbox_relay where id = 'a' for key share";
    private static final String MYSQL_FENCE = "select shard, epoch from outbox_shard lock in share mode";
    private static final String H2_FENCE = "select shard, epoch from outbox_shard for update";

    static Stream<Arguments> settlements() {
        return Stream.of(
                Arguments.of(Kind.POSTGRES_15, POSTGRES_FENCE),
                Arguments.of(Kind.POSTGRES_18, POSTGRES_FENCE),
                Arguments.of(Kind.MARIADB, MYSQL_FENCE),
                Arguments.of(Kind.MYSQL, MYSQL_FENCE),
                Arguments.of(Kind.H2, H2_FENCE));
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void takeOverWaitsForASettlementThatRuns(Kind kind, String fence) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection settlement = fixture.producers().getConnection();
                Statement statement = settlement.createStatement()) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.execute("update outbox_relay set until = joined_at");
            relay.store().renew("b", HandRelay.LONG);
            settlement.setAutoCommit(false);
            statement.execute(fence);

            Future<Acquired> takeOver = executor.submit(() -> relay.store().acquire("b", HandRelay.ALL));
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> takeOver.get(300, TimeUnit.MILLISECONDS));
            settlement.commit();

            assertThat(takeOver.get(1, TimeUnit.MINUTES).shards()).hasSize(HandRelay.ALL.size());
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void settlementBesideATakeOverWritesNothing(Kind kind, String fence) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection takeOver = fixture.producers().getConnection();
                Statement statement = takeOver.createStatement()) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(3);
            List<ClaimedMessage> fetched = relay.fetch();
            List<Settlement> outcomes = List.of(
                    Settlement.delivered(fetched.get(0)),
                    Settlement.retry(fetched.get(1), HandRelay.LONG, "late", true),
                    Settlement.dead(fetched.get(2), "late", true));
            takeOver.setAutoCommit(false);
            statement.execute("delete from outbox_relay where id = 'a'");
            statement.execute("update outbox_shard set owner = 'b', epoch = epoch + 1");

            Future<Settled> settled = executor.submit(() -> relay.store().settle(outcomes));
            // It waits for the take-over, or has given up waiting: both are right.
            letRun(settled);
            takeOver.commit();

            assertThat(settled.get(1, TimeUnit.MINUTES).written()).isZero();
            assertThat(relay.store().settle(outcomes)).isEqualTo(new Settled(0, List.of()));
            assertThat(fixture.number("select count(*) from outbox_message where status = 0 and attempts = 0"))
                    .isEqualTo(3);
        } finally {
            executor.shutdownNow();
        }
    }

    private static void letRun(Future<?> work) throws Exception {
        try {
            work.get(100, TimeUnit.MILLISECONDS);
        } catch (TimeoutException waits) {
            // Its locks are held by the take-over.
        }
    }
}
