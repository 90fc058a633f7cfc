package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Finding that there is nothing to do costs the same on a large table. */
@Tag("B9")
@Tag("R3.6")
final class UpkeepPlanTest {

    private static final long MONTH_MICROS = 30L * 24 * 3600 * 1_000_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void oldRowsAndDeadMessagesAreFoundByTheirIndexes(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.createNew(Kinds.require(kind));
                Connection connection = fixture.pool().getConnection()) {
            fixture.execute("""
                    insert into outbox_attempt (seq, token, message_id, attempt, relay, outcome, took_ms)
                    select g, 1, gen_random_uuid(), 1, 'r', 0, 1 from generate_series(1, 20000) g
                    """, """
                    insert into outbox_audit (actor, action, reason) select 'a', 'b', 'c' from generate_series(1, 20000)
                    """, """
                    insert into outbox_archive (seq, id, namespace, topic, type, version, content_type, content_hash,
                                                attempts, created_at, ended, payload)
                    select g, gen_random_uuid(), 'n', 't', 't', 1, 'c', '', 1, now(), 0, '' from generate_series(1, 20000) g
                    """, """
                    insert into outbox_message (id, topic, shard, type, content_hash, payload, status, died_at)
                    select gen_random_uuid(), 't', 0, 't', sha256('|t|'), '', 3, now() from generate_series(1, 20000) g
                    """, "analyze");
            Object now = Dialect.POSTGRESQL.time(Instant.now().truncatedTo(ChronoUnit.MICROS));

            for (OldRows rows : OldRows.values()) {
                assertThat(plan(connection, rows.lock, -MONTH_MICROS, 200))
                        .as(rows.name())
                        .contains("Index Cond")
                        .doesNotContain("Filter")
                        .doesNotContain("Seq Scan on");
            }
            assertThat(plan(connection, BulkSelection.LOOK_DEAD.replace("{criteria}", ""), now, now, 1L, now, 500))
                    .contains("outbox_message_dead")
                    .contains("ROW(died_at, seq)")
                    .doesNotContain("Filter")
                    .doesNotContain("Sort");
        }
    }

    private static String plan(Connection connection, String sql, Object... values) throws SQLException {
        String text =
                OutboxDialect.text(TableNames.defaults(), Dialect.POSTGRESQL).of("explain " + sql);
        StringBuilder plan = new StringBuilder();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            Session.bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
        }
        return plan.toString();
    }
}
