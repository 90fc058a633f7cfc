package dev.postrider.saga;

import dev.postrider.admin.Decision;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Brings replies to the steps that wait for them. The caller commits, so no listener is told here: the saga is due at
 * once, and a runner tells what the reply did and takes the saga to its end. Thread-safe.
 */
record Replies(EngineParts parts, Map<SagaVersion, Blueprint<?>> blueprints) {

    private static final String CONSUMER = "saga replies";

    /** Returns false, and changes nothing, if no step waits for this reply. */
    boolean accept(Connection connection, Reply reply) throws SQLException {
        Optional<AwaitedReply> awaited = parts.store().awaited(connection, reply.commandId());
        if (awaited.isPresent()) {
            SagaVersion version = awaited.get().saga().head().definition();
            Blueprint<?> blueprint = blueprints.get(version);
            if (blueprint == null) {
                throw new SagaException("There is no worker here for %s, whose saga %s waits for this reply"
                        .formatted(version, awaited.get().saga().id()));
            }
            if (accept(connection, reply, awaited.get(), blueprint)) {
                return true;
            }
        }
        ignore(connection, reply);
        return false;
    }

    private <C> boolean accept(Connection connection, Reply reply, AwaitedReply awaited, Blueprint<C> blueprint)
            throws SQLException {
        SagaRow row = awaited.saga();
        Progress<C> progress = new Progress<>(blueprint, row, parts.store().journal(connection, row.id()));
        Optional<StepSettlement<C>> settlement = settlement(progress, awaited.step(), reply);
        if (settlement.isEmpty()) {
            return false;
        }
        Next<C> next = settlement.get().next();
        SagaUpdate change = settlement.get().change(next);
        boolean staysStuck = row.status() == SagaStatus.STUCK && !waitsForThis(row, awaited.step());
        change = staysStuck
                ? new SagaUpdate(SagaStatus.STUCK, change.context(), null, null, change.pivotPassed(), true)
                : change.forRunner(row.state().direction());
        parts.store().writeReply(connection, settlement.get().entry());
        if (!parts.store().advance(connection, row, change)) {
            throw new SagaException(
                    "The transaction ended before the reply to %s was written".formatted(reply.commandId()));
        }
        return true;
    }

    private static <C> Optional<StepSettlement<C>> settlement(Progress<C> progress, JournalEntry waiting, Reply reply) {
        Step<C> step = progress.blueprint().step(waiting.step()).orElseThrow();
        StepEntry done = StepEntry.of(
                progress.row().id(), step.name(), waiting.direction(), StepStatus.DONE, waiting.attempts());
        if (waiting.direction() == Direction.COMPENSATION) {
            return Optional.of(StepSettlement.of(progress, done));
        }
        RequestWork<C> work = step.request();
        BiFunction<C, Reply, C> yes = work.replies().get(reply.type());
        if (yes != null) {
            C context = Contexts.decode(progress.blueprint(), progress.row());
            String next = Contexts.encode(progress.blueprint(), yes.apply(context, reply));
            return Optional.of(StepSettlement.of(progress, done).with(next));
        }
        return isRefusal(work, reply) ? Optional.of(refused(progress, waiting, reply)) : Optional.empty();
    }

    private static boolean isRefusal(RequestWork<?> work, Reply reply) {
        return work.failures().contains(reply.type())
                || Answer.Outcome.REFUSED.name().equals(reply.headers().get(SagaHeaders.OUTCOME));
    }

    private static <C> StepSettlement<C> refused(Progress<C> progress, JournalEntry waiting, Reply reply) {
        StepEntry entry = StepEntry.of(
                        progress.row().id(), waiting.step(), Direction.FORWARD, StepStatus.FAILED, waiting.attempts())
                .withError("The reply was " + reply.type());
        return StepSettlement.of(progress, entry)
                .failed(new SagaFailure(waiting.step(), Reasons.REFUSED, "The reply was " + reply.type()), true);
    }

    private static boolean waitsForThis(SagaRow row, JournalEntry step) {
        SagaFailure failure = row.state().failure();
        return failure != null
                && failure.type().equals(Reasons.REPLY_OVERDUE)
                && step.step().equals(failure.step());
    }

    private void ignore(Connection connection, Reply reply) throws SQLException {
        Optional<UUID> saga = sagaId(reply);
        if (saga.isPresent()) {
            parts.store()
                    .audit(
                            connection,
                            saga.get(),
                            "LATE_REPLY",
                            new Decision(CONSUMER, "No step waits for it"),
                            "%s to command %s".formatted(reply.type(), reply.commandId()));
        }
        parts.listener().lateReply(reply);
    }

    private static Optional<UUID> sagaId(Reply reply) {
        try {
            return Optional.ofNullable(reply.headers().get(SagaHeaders.SAGA_ID)).map(UUID::fromString);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
