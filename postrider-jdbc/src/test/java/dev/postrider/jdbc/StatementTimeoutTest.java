package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void aStatementEndsWhenItsTimeIsOver(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection other = fixture.producers().getConnection();
                Statement lock = other.createStatement()) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool())
                    .statementTimeout(Duration.ofSeconds(1))
                    .build();
            HandRelay relay = HandRelay.join(store, "a");
            fixture.enqueue(3);
            ClaimedMessage fetched = relay.fetch().get(0);
            other.setAutoCommit(false);
            lock.execute("lock table outbox_message in access exclusive mode");

            // At the same time, because each of them takes its second.
            List<CompletableFuture<Object>> statements = Stream.<Supplier<Object>>of(
                            () -> store.appeared(Shards.ALL, TopicFilter.ALL, List.of(new SeqRange(0, 100))),
                            relay::fetch,
                            relay::due,
                            () -> store.settle(List.of(Settlement.delivered(fetched))),
                            () -> store.unblock(HandRelay.ALL, 0),
                            () -> store.claimUnsharded("me", 10, HandRelay.LONG, 5, null))
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
}
