package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page has room for every version of its rows: a message that goes its usual way moves to no other page. */
@Tag("B9")
final class RoomTest {

    private static final String PAGES = "select count(distinct (ctid::text::point)[0]) from outbox_message";
    private static final String SIZE = "select pg_relation_size('outbox_message') / 8192";
    private static final int MESSAGES = 320;
    private static final int AT_ONCE = 16;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void fetchAndDeliveryStayInThePageAlsoWhileATransactionKeepsOldVersions(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection old = fixture.producers().getConnection();
                Statement snapshot = old.createStatement()) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(MESSAGES);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            snapshot.execute("select count(*) from outbox_message");
            long pages = fixture.number(SIZE);

            for (int first = 0; first < MESSAGES; first += AT_ONCE) {
                List<ClaimedMessage> fetched =
                        HandRelay.claimed(relay.page(first, AT_ONCE).rows());
                assertThat(relay.settle(fetched, Settlement::delivered)).isEqualTo(AT_ONCE);
            }

            assertThat(fixture.number(SIZE)).isEqualTo(pages);
            assertThat(fixture.number(PAGES)).isEqualTo(pages);
            old.rollback();
        }
    }
}
