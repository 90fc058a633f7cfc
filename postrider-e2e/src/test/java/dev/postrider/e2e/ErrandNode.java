package dev.postrider.e2e;

import dev.postrider.e2e.Errand.Fate;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Reply;
import dev.postrider.saga.SagaEngine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A node that runs errands, or answers their requests: each twice, and once more by another message. Thread-safe. */
final class ErrandNode implements AutoCloseable {

    static final Duration POLL = Duration.ofMillis(100);
    static final int SAGAS = 3;

    private static final Duration SHORT_CLAIM = Duration.ofSeconds(1);
    // Longer than any test waits.
    private static final Duration LONG_CLAIM = Duration.ofMinutes(30);

    private static final String WAITING = """
            select s.command_id
              from saga_step s
              join saga_instance i on i.saga_id = s.saga_id
             where s.status = 'WAITING'
               and i.definition like ?
               and (s.direction = 'C' or i.ctx not like 'SILENT%')
            """;

    private final String name;
    private final DataSource dataSource;
    private final DurableSagaDefinition<String> durable;
    private final DurableSagaDefinition<String> silent;
    private final LocalSagaDefinition<String> atomic;
    private final SagaEngine engine;
    private final Inbox inbox;
    private final ScheduledExecutorService participant = Executors.newSingleThreadScheduledExecutor();
    private volatile @Nullable ScheduledFuture<?> answering;

    /**
     * Returns a node that is killed or frozen: its claims end soon after it falls silent.
     *
     * @param dataSource where the tables are, and in place of the system that external steps call
     * @param name of the errand
     */
    static ErrandNode lapsing(DataSource dataSource, String name, String node) {
        return new ErrandNode(dataSource, name, node, SHORT_CLAIM);
    }

    /** Returns a node that nothing happens to: it keeps its claims however busy the machine is. */
    static ErrandNode lasting(DataSource dataSource, String name, String node) {
        return new ErrandNode(dataSource, name, node, LONG_CLAIM);
    }

    private ErrandNode(DataSource dataSource, String name, String node, Duration claim) {
        this.name = name;
        this.dataSource = dataSource;
        Errand errand = new Errand(name, dataSource);
        this.durable = errand.durable();
        this.silent = errand.silent();
        this.atomic = errand.atomic();
        this.engine = SagaEngine.builder(dataSource)
                .register(durable)
                .register(silent)
                .register(atomic)
                .name(node)
                .threads(1)
                .claimFor(claim)
                .pollInterval(POLL)
                .build();
        this.inbox = JdbcInbox.of(dataSource);
    }

    /** Asks for sagas with this fate; those that are there already are found. */
    void ask(Fate fate) {
        for (int i = 1; i <= SAGAS; i++) {
            String owner = fate.owner(name, i);
            switch (fate) {
                case GOOD, FLAKY, DECLINED -> engine.saga(durable).start(owner, owner);
                case SILENT -> engine.saga(silent).start(owner, owner);
                case ATOMIC -> engine.saga(atomic).execute(owner, owner).orThrow();
            }
        }
    }

    /** Begins to run errands. */
    ErrandNode run() {
        engine.start();
        return this;
    }

    /** Begins to answer the requests of errands. */
    ErrandNode answer() {
        answering = participant.scheduleWithFixedDelay(this::answerAll, 0, POLL.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    private void answerAll() {
        try {
            for (String command : waiting()) {
                answer("reply-to-" + command, command);
                answer("reply-to-" + command, command);
                answer(UUID.randomUUID().toString(), command);
            }
        } catch (SQLException | RuntimeException e) {
            System.err.println("Could not answer: " + e);
        }
    }

    private List<String> waiting() throws SQLException {
        List<String> commands = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(WAITING)) {
            select.setString(1, name + "%");
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    commands.add(row.getString(1));
                }
            }
        }
        return commands;
    }

    private void answer(String messageId, String command) {
        Reply reply = Reply.of("paid", Map.of("in-reply-to", command), new byte[0]);
        inbox.process(messageId, "errands", transaction -> engine.onReply(transaction.connection(), reply));
    }

    @Override
    public void close() {
        ScheduledFuture<?> begun = answering;
        if (begun != null) {
            begun.cancel(false);
        }
        participant.shutdown();
        try {
            participant.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        engine.close();
    }
}
