package dev.postrider.jdbc;

import static dev.postrider.jdbc.Claimants.ALL;
import static dev.postrider.jdbc.Claimants.LONG;
import static dev.postrider.jdbc.Claimants.enqueue;
import static dev.postrider.jdbc.Claimants.joined;
import static dev.postrider.jdbc.Claimants.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
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
    void claimAndDeliveryStayInThePageAlsoWhileATransactionKeepsOldVersions(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection old = fixture.producers().getConnection();
                Statement snapshot = old.createStatement()) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, MESSAGES);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            snapshot.execute("select count(*) from outbox_message");
            long pages = number(fixture, SIZE);

            for (int first = 0; first < MESSAGES; first += AT_ONCE) {
                ClaimRequest request =
                        new ClaimRequest("a", ALL, Set.of(), new ClaimSize(AT_ONCE, 1 << 20), LONG, first + 1);
                store.settle(
                        store.lookAndClaim(request, new SeqRange(first, first + AT_ONCE)).batch().messages().stream()
                                .map(Settlement::delivered)
                                .toList());
            }

            assertThat(number(fixture, "select count(*) from outbox_message where status = 2 and claimed_by = 'a'"))
                    .as("claimed in their rows")
                    .isEqualTo(MESSAGES);
            assertThat(number(fixture, SIZE)).isEqualTo(pages);
            assertThat(number(fixture, PAGES)).isEqualTo(pages);
            old.rollback();
        }
    }
}
