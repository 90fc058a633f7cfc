package dev.postrider.saga;

import static dev.postrider.saga.SagaFixture.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Session;
import dev.postrider.services.Database.Kind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim reads what is due along its index, however many sagas are finished or waiting. */
@Tag("B9")
final class SagaPlanTest {

    private static final String FILL = """
            insert into saga_instance (saga_id, definition, def_version, mode, status, ctx_codec, ctx, wake_at,
                                       finished_at)
            with recursive g (n) as (select 1 union all select n + 1 from g where n < 900)
            select concat('01900000-0000-7000-9000-', lpad(cast(n as char(12)), 12, '0')), 'order', 1, 'D',
                   case when n % 3 = 0 then 'WAITING' else 'COMPLETED' end, 'json', '{}',
                   case when n % 3 = 0 then {later} end, case when n % 3 = 0 then null else {now} end
              from g
            """;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aClaimReadsWhatIsDueInOrder(Kind kind) throws SQLException {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            SagaStore store = fixture.store();
            try (OpenTransaction transaction = store.begin(null)) {
                transaction
                        .session()
                        .update(
                                FILL.replace("cast(n as char(12))", number(kind)),
                                Duration.ofDays(1).toNanos() / 1_000);
                transaction.commit();
            }
            fixture.execute(kind == Kind.POSTGRES_18 ? "analyze saga_instance" : "analyze table saga_instance");
            SagaFixture.start(store);

            String plan = plan(store);

            assertThat(plan).contains("saga_instance_due").doesNotContainIgnoringCase("sort");
            assertThat(store.claim(List.of(ORDER), 10, Duration.ofHours(1), "n"))
                    .hasSize(1);
        }
    }

    private static String number(Kind kind) {
        return kind == Kind.POSTGRES_18 ? "cast(n as text)" : "cast(n as char(12))";
    }

    private static String plan(SagaStore store) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (OpenTransaction transaction = store.begin(null);
                PreparedStatement statement = transaction.session().prepare("explain " + SagaClaims.due(1))) {
            Session.bind(statement, "order", 1, 10);
            try (ResultSet row = statement.executeQuery()) {
                int columns = row.getMetaData().getColumnCount();
                while (row.next()) {
                    for (int i = 1; i <= columns; i++) {
                        plan.append(row.getString(i)).append(' ');
                    }
                }
            }
        }
        return plan.toString();
    }
}
