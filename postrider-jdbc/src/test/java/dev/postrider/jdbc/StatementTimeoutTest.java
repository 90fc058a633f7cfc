package dev.postrider.jdbc;

import static dev.postrider.jdbc.Claimants.ALL;
import static dev.postrider.jdbc.Claimants.LONG;
import static dev.postrider.jdbc.Claimants.enqueue;
import static dev.postrider.jdbc.Claimants.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No statement of a relay waits for ever, whoever has locked the table. */
@Tag("R1.11")
final class StatementTimeoutTest {

    private static final SeqRange RANGE = new SeqRange(0, 100);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aStatementEndsWhenItsTimeIsOver(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.producers().getConnection();
                Statement lock = other.createStatement()) {
            joined(fixture, "a");
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool())
                    .statementTimeout(Duration.ofSeconds(1))
                    .build();
            enqueue(fixture, 3);
            ClaimedMessage claimed =
                    store.lookAndClaim(request(1), RANGE).batch().messages().get(0);
            other.setAutoCommit(false);
            lock.execute("lock table outbox_message in access exclusive mode");

            // At the same time, because each of them takes its second.
            List<CompletableFuture<Object>> statements = Stream.<Supplier<Object>>of(
                            () -> store.look(0, 10, List.of()),
                            () -> store.lookAndClaim(request(2), RANGE),
                            () -> store.claim(request(3), RANGE),
                            () -> store.claimWaiting(request(4)),
                            () -> store.settle(List.of(Settlement.delivered(claimed))))
                    .map(each -> CompletableFuture.supplyAsync(each, command -> new Thread(command).start()))
                    .toList();

            assertThat(statements)
                    .allSatisfy(each -> assertThatThrownBy(() -> each.get(2, TimeUnit.MINUTES))
                            .cause()
                            .isInstanceOf(OutboxException.class)
                            .cause()
                            .extracting("SQLState")
                            .isIn("57014", "55P03"));
            other.rollback();
        }
    }

    private static ClaimRequest request(long token) {
        return new ClaimRequest("a", ALL, Set.of(), new ClaimSize(10, 1 << 20), LONG, token);
    }
}
