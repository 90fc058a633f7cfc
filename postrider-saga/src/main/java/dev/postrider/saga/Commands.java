package dev.postrider.saga;

import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Enqueues what request steps ask, with what a participant has to echo. Thread-safe. */
record Commands(JdbcOutbox outbox) {

    /** Enqueues the command; returns the entry of a step that waits. A command sent again keeps its command id. */
    <C> StepEntry enqueue(Connection connection, Progress<C> progress, StepAttempt<C> attempt, C context)
            throws StepFailedException {
        String commandId = progress.entry(attempt.step(), attempt.direction())
                .map(JournalEntry::commandId)
                .orElseGet(() -> attempt.messageId(0).toString());
        try {
            Command command = function(attempt).apply(context);
            outbox.enqueue(
                    connection, command.message(attempt.messageId(attempt.number() - 1), headers(attempt, commandId)));
        } catch (RuntimeException | Error e) {
            throw new StepFailedException(attempt, e);
        }
        return attempt.entry(StepStatus.WAITING).withCommand(commandId);
    }

    private static <C> Function<C, Command> function(StepAttempt<C> attempt) {
        RequestWork<C> work = attempt.step().request();
        return attempt.direction() == Direction.FORWARD
                ? work.command()
                : Objects.requireNonNull(work.compensation(), "compensation");
    }

    private static Map<String, String> headers(StepAttempt<?> attempt, String commandId) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(SagaHeaders.SAGA_ID, attempt.sagaId().toString());
        headers.put(SagaHeaders.STEP, attempt.step().name());
        headers.put(SagaHeaders.COMMAND_ID, commandId);
        headers.put(StepScope.CORRELATION_ID, attempt.sagaId().toString());
        return headers;
    }
}
