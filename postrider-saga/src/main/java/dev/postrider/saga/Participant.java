package dev.postrider.saga;

import dev.postrider.OutboxMessage;
import dev.postrider.database.SqlErrors;
import dev.postrider.database.TableNames;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.saga.Answer.Outcome;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A system that carries out commands of sagas, and undoes them. It handles messages inside an inbox, which removes
 * repeated messages; what the ids of messages cannot show is decided here. Each command of a step runs once, however
 * often it is sent, and is answered as the first time. A compensation that comes before its action runs nothing, and
 * the action that comes late is not run any more. While an action is under way its compensation waits for the outcome.
 *
 * <p>The answer is enqueued in the same transaction; the inbox needs an outbox for it. Thread-safe.
 */
public final class Participant implements ReceivedHandler {

    private static final Pattern ID = Pattern.compile("[!-~]{1,100}");
    private static final int MAX_STEP = 100;
    private static final int MAX_NAME = 100;

    private final String consumer;
    private final Map<String, Task> tasks;
    private final @Nullable String replyTo;
    private final Set<String> replyTopics;
    private final TableNames names;
    private final SagaTexts texts;

    private Participant(Builder builder) {
        this.consumer = builder.consumer;
        this.tasks = Map.copyOf(builder.tasks);
        this.replyTo = builder.replyTo;
        this.replyTopics = Set.copyOf(builder.replyTopics);
        this.names = builder.names;
        this.texts = new SagaTexts(builder.names);
    }

    /** Starts configuring a participant; {@code consumer} is its name in the inbox. */
    public static Builder builder(String consumer) {
        return new Builder(consumer);
    }

    /**
     * Carries out the command, or finds that it must not be, and enqueues the answer.
     *
     * @throws IllegalArgumentException if the message is not a command of a saga that this participant knows, or names
     *     a topic for the answer that is not allowed; nothing is done then, and the inbox parks the message in the end
     */
    @Override
    public void handle(ReceivedMessage command, InboxTransaction transaction) throws Exception {
        Task task = task(command);
        BarrierSlot slot = slot(command);
        String topic = topic(command);
        try {
            Barrier barrier = new Barrier(texts.on(transaction.connection()), slot);
            Answer answer = task.compensates()
                    ? compensate(barrier, task, command, transaction)
                    : act(barrier, task, command, transaction);
            transaction.enqueue(reply(command, slot, topic, answer));
        } catch (SQLException e) {
            if (SqlErrors.missingTable(e)) {
                throw SagaSchema.FILES.explained("Could not handle a command of saga " + slot.sagaId(), e, names);
            }
            throw e;
        }
    }

    private static Answer act(Barrier barrier, Task task, ReceivedMessage command, InboxTransaction transaction)
            throws Exception {
        Optional<Answer> known = barrier.beforeAction();
        if (known.isPresent()) {
            return known.get();
        }
        Answer answer = task.handler().handle(command, transaction);
        barrier.actionDone(answer);
        return answer;
    }

    private static Answer compensate(Barrier barrier, Task task, ReceivedMessage command, InboxTransaction transaction)
            throws Exception {
        Optional<Answer> known = barrier.beforeCompensation();
        if (known.isPresent()) {
            return known.get();
        }
        Answer answer = task.handler().handle(command, transaction);
        if (answer.outcome() == Outcome.REFUSED) {
            throw new IllegalStateException(
                    "A compensation cannot be refused; throw, so that it is tried again or parked");
        }
        barrier.compensationDone(answer);
        return answer;
    }

    private Task task(ReceivedMessage command) {
        String type = command.type().orElse("");
        Task task = tasks.get(type);
        if (task == null) {
            throw new IllegalArgumentException("Participant '%s' has no handler for %s".formatted(consumer, command));
        }
        return task;
    }

    private BarrierSlot slot(ReceivedMessage command) {
        String commandId = header(command, SagaHeaders.COMMAND_ID);
        String step = header(command, SagaHeaders.STEP);
        if (!ID.matcher(commandId).matches() || step.isEmpty() || step.length() > MAX_STEP) {
            throw new IllegalArgumentException("The headers '%s' and '%s' have 1 to 100 characters, but not in %s"
                    .formatted(SagaHeaders.COMMAND_ID, SagaHeaders.STEP, command));
        }
        return new BarrierSlot(consumer, UUID.fromString(header(command, SagaHeaders.SAGA_ID)), step, commandId);
    }

    private String topic(ReceivedMessage command) {
        String named = command.headers().getOrDefault(SagaHeaders.REPLY_TO, replyTo);
        if (named == null) {
            throw new IllegalArgumentException(
                    "Nobody says where to answer %s: it has no header '%s', and the participant no replyTo"
                            .formatted(command, SagaHeaders.REPLY_TO));
        }
        if (!replyTopics.contains(named)) {
            throw new IllegalArgumentException(
                    "Participant '%s' may not answer to the topic '%s' of the header '%s'; replyTopics(..) allows it: %s"
                            .formatted(consumer, printable(named), SagaHeaders.REPLY_TO, command));
        }
        return named;
    }

    // Anybody may have written the header.
    private static String printable(String name) {
        String text = name.replaceAll("[^ -~]", "?");
        return text.length() <= MAX_NAME ? text : text.substring(0, MAX_NAME) + "…";
    }

    private static String header(ReceivedMessage command, String name) {
        String value = command.headers().get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "A command of a saga has the header '%s', but not %s".formatted(name, command));
        }
        return value;
    }

    private static OutboxMessage reply(ReceivedMessage command, BarrierSlot slot, String topic, Answer answer) {
        return OutboxMessage.to(topic, answer.type())
                .key(command.key().orElse(slot.sagaId().toString()))
                .header(SagaHeaders.SAGA_ID, slot.sagaId().toString())
                .header(SagaHeaders.STEP, slot.step())
                .header(SagaHeaders.COMMAND_ID, slot.commandId())
                .header(SagaHeaders.IN_REPLY_TO, slot.commandId())
                .header(SagaHeaders.OUTCOME, answer.outcome().name())
                .contentType(answer.contentType())
                .payload(answer.payload())
                .build();
    }

    private record Task(boolean compensates, CommandHandler handler) {}

    /** Collects the parts of a {@link Participant}. Not thread-safe. */
    public static final class Builder {

        private final String consumer;
        private final Map<String, Task> tasks = new HashMap<>();
        private final Set<String> replyTopics = new HashSet<>();
        private @Nullable String replyTo;
        private TableNames names = SagaSchema.DEFAULT_NAMES;

        private Builder(String consumer) {
            if (!ID.matcher(consumer).matches()) {
                throw new IllegalArgumentException(
                        "consumer must have 1 to 100 printable ASCII characters but was '%s'".formatted(consumer));
            }
            this.consumer = consumer;
        }

        /** Sets what is done about commands of the logical type {@code type}. */
        public Builder on(String type, CommandHandler handler) {
            return add(type, new Task(false, Objects.requireNonNull(handler, "handler")));
        }

        /** Sets what undoes a step, for commands of the logical type {@code type}. */
        public Builder compensate(String type, CommandHandler handler) {
            return add(type, new Task(true, Objects.requireNonNull(handler, "handler")));
        }

        /**
         * Sets the topic for answers to commands that name none. Default: such a command is refused. Commands may name
         * this topic too.
         */
        public Builder replyTo(String topic) {
            this.replyTo = allowed(topic);
            return this;
        }

        /**
         * Adds topics that commands may name for their answers. Default: only {@link #replyTo}. Without this limit any
         * sender could make this system publish to any topic.
         */
        public Builder replyTopics(String... topics) {
            for (String topic : topics) {
                allowed(topic);
            }
            return this;
        }

        /** Sets what the tables are called. Default: {@code saga_participant} and its companions. */
        public Builder tables(TableNames value) {
            this.names = Objects.requireNonNull(value, "tables");
            return this;
        }

        /**
         * Builds the participant; nothing is sent to the database yet.
         *
         * @throws IllegalArgumentException if it has no handler, or no topic to answer to
         */
        public Participant build() {
            if (tasks.isEmpty()) {
                throw new IllegalArgumentException("Participant '%s' has no handler".formatted(consumer));
            }
            if (replyTopics.isEmpty()) {
                throw new IllegalArgumentException(
                        "Participant '%s' has no topic to answer to: set replyTo(..), or replyTopics(..) if commands name it"
                                .formatted(consumer));
            }
            return new Participant(this);
        }

        private String allowed(String topic) {
            if (topic.isBlank()) {
                throw new IllegalArgumentException("A topic for replies must not be blank");
            }
            replyTopics.add(topic);
            return topic;
        }

        private Builder add(String type, Task task) {
            if (tasks.putIfAbsent(Objects.requireNonNull(type, "type"), task) != null) {
                throw new IllegalArgumentException(
                        "There is a handler for commands of the type '%s' already".formatted(type));
            }
            return this;
        }
    }
}
