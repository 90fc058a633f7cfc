package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxOrdering;
import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Delivers commands to a participant whose handlers write what they did into a table. */
final class ParticipantBench {

    private static final double FAILURES = 0.2;

    private final SagaFixture fixture;
    private final Inbox inbox;
    private final AtomicInteger number = new AtomicInteger();

    /** A command that is delivered; a copy is another message with the same command. */
    enum Move {
        ACTION,
        ACTION_COPY,
        COMPENSATION,
        COMPENSATION_COPY;

        boolean compensates() {
            return this == COMPENSATION || this == COMPENSATION_COPY;
        }

        String type() {
            return compensates() ? "release" : "reserve";
        }
    }

    ParticipantBench(SagaFixture fixture) {
        this.fixture = fixture;
        InboxSchema.of(fixture.pool()).migrate();
        this.inbox = JdbcInbox.builder(fixture.pool())
                .outbox(JdbcOutbox.create())
                .ordering(InboxOrdering.NONE)
                .parkAfter(1_000)
                .build();
        fixture.execute("create table effect (entry int not null, saga_id varchar(36) not null, kind varchar(20))");
    }

    Participant participant() {
        return participant(this::reserve);
    }

    Participant participant(CommandHandler action) {
        return Participant.builder("stock")
                .on("reserve", action)
                .compensate("release", this::release)
                .replyTo("order-replies")
                .build();
    }

    /** Fails now and then after it has written. */
    Participant flakyParticipant(Random random) {
        return Participant.builder("stock")
                .on("reserve", (command, transaction) -> {
                    Answer answer = reserve(command, transaction);
                    failNowAndThen(random);
                    return answer;
                })
                .compensate("release", (command, transaction) -> {
                    Answer answer = release(command, transaction);
                    failNowAndThen(random);
                    return answer;
                })
                .replyTo("order-replies")
                .build();
    }

    Answer reserve(ReceivedMessage command, InboxTransaction transaction) throws SQLException {
        note(command, transaction, "reserved");
        return Answer.done("reserved");
    }

    private Answer release(ReceivedMessage command, InboxTransaction transaction) throws SQLException {
        note(command, transaction, "released");
        return Answer.done("released");
    }

    private void note(ReceivedMessage command, InboxTransaction transaction, String kind) throws SQLException {
        try (PreparedStatement statement = transaction
                .connection()
                .prepareStatement("insert into effect (entry, saga_id, kind) values (?, ?, ?)")) {
            statement.setInt(1, number.incrementAndGet());
            statement.setString(2, command.headers().get("saga-id"));
            statement.setString(3, kind);
            statement.executeUpdate();
        }
    }

    private static void failNowAndThen(Random random) {
        if (random.nextDouble() < FAILURES) {
            throw new FlakyException();
        }
    }

    ReceivedMessage command(UUID saga, Move move) {
        return command(saga, move, move.type() + "-" + saga);
    }

    ReceivedMessage command(UUID saga, Move move, String commandId) {
        return ReceivedMessage.from("stock")
                .id("message-" + number.incrementAndGet())
                .key("order-1")
                .type(move.type())
                .header("saga-id", saga.toString())
                .header("saga-step", "reserve")
                .header("command-id", commandId)
                .build();
    }

    /** Returns the command with a topic for its answer. */
    ReceivedMessage replyingTo(String topic, ReceivedMessage command) {
        return ReceivedMessage.from(command.topic())
                .id(command.id().orElseThrow())
                .key(command.key().orElseThrow())
                .type(command.type().orElseThrow())
                .headers(command.headers())
                .header("reply-to", topic)
                .build();
    }

    /** Delivers the message until it is handled, as a broker would; returns whether it was a duplicate. */
    boolean deliver(Participant participant, ReceivedMessage message) {
        while (true) {
            try {
                InboxResult<Boolean> result = inbox.process(message, "stock", transaction -> {
                    participant.handle(message, transaction);
                    return true;
                });
                assertThat(result).isNotInstanceOf(InboxResult.Parked.class);
                return result instanceof InboxResult.Duplicate;
            } catch (InboxException e) {
                if (e.getCause() instanceof IllegalArgumentException refused) {
                    throw refused;
                }
                assertThat(e.reason())
                        .as("%s", e.getCause())
                        .isIn(e.getCause() instanceof FlakyException ? Reason.HANDLER_FAILED : Reason.BUSY);
            }
        }
    }

    /** Returns what was done for the saga, in order. */
    String effects(UUID saga) {
        List<String> kinds = new ArrayList<>();
        try (Connection connection = fixture.pool().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select kind from effect where saga_id = ? order by entry")) {
            statement.setString(1, saga.toString());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    kinds.add(row.getString(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return String.join(", ", kinds);
    }

    /** Returns the replies to the saga, in the order in which they were enqueued. */
    List<OutboxMessage> replies(UUID saga) {
        return JdbcOutboxAdmin.of(fixture.pool()).list(MessageStatus.PENDING, 0, 1_000).stream()
                .map(StoredMessage::message)
                .filter(each -> saga.toString().equals(each.headers().get("saga-id")))
                .toList();
    }

    /** Returns types and outcomes of the replies to the saga. */
    List<String> answers(UUID saga) {
        return replies(saga).stream()
                .map(each -> each.type() + " " + each.headers().get("saga-outcome"))
                .toList();
    }

    private static final class FlakyException extends RuntimeException {

        private static final long serialVersionUID = 1;
    }
}
