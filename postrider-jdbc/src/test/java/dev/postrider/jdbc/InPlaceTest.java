package dev.postrider.jdbc;

import static dev.postrider.jdbc.Claimants.ALL;
import static dev.postrider.jdbc.Claimants.LONG;
import static dev.postrider.jdbc.Claimants.enqueue;
import static dev.postrider.jdbc.Claimants.joined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** InnoDB changes a row in its place as long as no column changes its length; otherwise it logs the row again. */
@Tag("B9")
final class InPlaceTest {

    private static final int MESSAGES = 2_000;
    private static final int AT_ONCE = 500;
    private static final int LARGEST_CHANGE = 800;

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void claimAndDeliveryLogWhatTheyChangeAndNotTheRow(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind))) {
            JdbcOutboxStore store = joined(fixture, "a");
            enqueue(fixture, MESSAGES);
            long before = logged(fixture);

            for (int claim = 1; claim <= MESSAGES / AT_ONCE; claim++) {
                ClaimRequest request =
                        new ClaimRequest("a", ALL, Set.of(), new ClaimSize(AT_ONCE, 1 << 20), LONG, claim);
                List<Settlement> delivered = store.claim(request, SeqRange.above(0)).messages().stream()
                        .map(Settlement::delivered)
                        .toList();
                assertThat(store.settle(delivered)).isEqualTo(AT_ONCE);
            }

            assertThat((logged(fixture) - before) / MESSAGES).as("bytes of log").isLessThan(LARGEST_CHANGE);
        }
    }

    private static long logged(Fixture fixture) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show global status like 'Innodb_os_log_written'")) {
            row.next();
            return row.getLong(2);
        }
    }
}
