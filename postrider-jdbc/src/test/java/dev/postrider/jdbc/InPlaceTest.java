package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
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
    void fetchAndDeliveryLogWhatTheyChangeAndNotTheRow(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "a");
            fixture.enqueue(MESSAGES);
            long before = logged(fixture);

            List<ClaimedMessage> last = List.of();
            for (int i = 0; i < MESSAGES / AT_ONCE; i++) {
                relay.end(last);
                last = HandRelay.claimed(relay.page(0, AT_ONCE).rows());
                assertThat(relay.settle(last, Settlement::delivered)).isEqualTo(AT_ONCE);
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
