package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.relay.Relay;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the code of the README and keeps the two the same. */
class QuickStartTest {

    private final List<String> delivered = new CopyOnWriteArrayList<>();

    @Test
    @Tag("R1.12")
    void theQuickStartDeliversItsMessage() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:quickstart;DB_CLOSE_DELAY=-1");

        try (Relay relay = run(h2)) {
            await().atMost(RelayProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(delivered).containsExactly("{\"order\":42}"));
            assertThat(relay.health().alive()).isTrue();
        }
    }

    private Relay run(DataSource dataSource) throws SQLException {
        // begin
        OutboxSchema.of(dataSource).migrate(); // once; or apply the SQL that print() gives

        MessagePublisher publisher = (wave, answers) -> {
            for (ClaimedMessage claimed : wave) { // send to your broker, answer when it has acked
                delivered.add(new String(claimed.message().payload(), StandardCharsets.UTF_8));
                answers.answer(claimed, PublishResult.acked());
            }
        };
        JdbcOutboxStore store = JdbcOutboxStore.builder(dataSource).build();
        Relay relay = Relay.builder(store, publisher).build().start(); // until relay.close()

        JdbcOutbox outbox = JdbcOutbox.create();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            // ... change your business tables on this connection ...
            outbox.enqueue(
                    connection,
                    OutboxMessage.to("orders", "order-placed")
                            .key("42")
                            .payload("{\"order\":42}")
                            .build());
            connection.commit(); // both, or neither
        }
        relay.wake(); // do not wait for the next poll
        // end
        return relay;
    }

    @Test
    void theReadmeShowsTheCodeThatRanHere() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/postrider/e2e/QuickStartTest.java"));
        String code = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"))
                .stripTrailing()
                .stripIndent();

        assertThat(Files.readString(Path.of("../README.md"))).contains(code);
    }
}
