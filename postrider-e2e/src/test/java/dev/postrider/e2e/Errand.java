package dev.postrider.e2e;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.Command;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.LocalStep;
import dev.postrider.saga.OnTimeout;
import dev.postrider.saga.RequestStep;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Sagas with steps of every kind. Their context is the owner of their effects; how an errand ends is the first word of
 * it.
 */
final class Errand {

    /** How an errand ends. */
    enum Fate {
        /** Every step is done at once. */
        GOOD(SagaStatus.COMPLETED),
        /** Every step is done, the first one at the second attempt. */
        FLAKY(SagaStatus.COMPLETED),
        /** The last step that can be undone refuses. */
        DECLINED(SagaStatus.COMPENSATED),
        /** Nobody answers the request. */
        SILENT(SagaStatus.COMPENSATED),
        /** All in one transaction. */
        ATOMIC(SagaStatus.COMPLETED);

        private final SagaStatus end;

        Fate(SagaStatus end) {
            this.end = end;
        }

        SagaStatus end() {
            return end;
        }

        /** What is done in the database and by the other system, in alphabetical order. */
        List<String> effects() {
            return switch (this) {
                case GOOD, FLAKY -> List.of("capture", "check", "label", "notify", "reserve");
                case DECLINED -> List.of("label", "reserve", "undo label", "undo reserve");
                case SILENT -> List.of("reserve", "undo reserve");
                case ATOMIC -> List.of("capture", "reserve");
            };
        }

        /** The messages that go out, in alphabetical order. */
        List<String> messages() {
            return switch (this) {
                case GOOD, FLAKY -> List.of("capture", "check", "notify", "pay", "reserve");
                case DECLINED, SILENT -> List.of("pay", "refund", "reserve", "undo reserve");
                case ATOMIC -> effects();
            };
        }

        /** What went out, without the repetitions of a refund that was not answered within its second. */
        List<String> sent(List<String> messages) {
            return this == SILENT ? messages.stream().distinct().toList() : messages;
        }

        /** The steps that are undone, in their order. */
        List<String> undone() {
            return switch (this) {
                case GOOD, FLAKY, ATOMIC -> List.of();
                case DECLINED -> List.of("pay", "label", "reserve");
                case SILENT -> List.of("pay", "reserve");
            };
        }

        String owner(String name, int number) {
            return "%s %s %d".formatted(this, name, number);
        }
    }

    /** No repetition helps. */
    static final class Declined extends Exception {

        Declined() {
            super("declined");
        }
    }

    private static final RetryPolicy SOON = RetryPolicy.exponential(Duration.ofMillis(20), Duration.ofMillis(100), 10);

    // Longer than any test waits: a saga that goes on does so because another node took it.
    private static final Duration NEVER = Duration.ofHours(1);

    private final String name;
    private final DataSource otherSystem;

    /** Takes what the saga is called, and where the system is that external steps call. */
    Errand(String name, DataSource otherSystem) {
        this.name = name;
        this.otherSystem = otherSystem;
    }

    DurableSagaDefinition<String> durable() {
        return Saga.define(name, String.class)
                .codec(TextCodec.INSTANCE)
                .step("reserve", step("reserve"))
                .external(
                        "label",
                        label -> label.call((owner, call) -> book(owner))
                                .verify((owner, call) -> booked(owner))
                                .compensate((owner, call) -> cancel(owner))
                                .retry(SOON)
                                .compensationRetry(SOON))
                .request("pay", request().andThen(pay -> pay.replyWithin(NEVER, OnTimeout.RESEND)))
                .step("check", step("check").andThen(check -> check.failOn(Declined.class)))
                .pivot("capture", action("capture"))
                .retriable("notify", action("notify"))
                .build();
    }

    /** The saga whose request nobody answers. */
    DurableSagaDefinition<String> silent() {
        return Saga.define(name + ".silent", String.class)
                .codec(TextCodec.INSTANCE)
                .step("reserve", step("reserve"))
                .request("pay", request().andThen(pay -> pay.replyWithin(Duration.ofSeconds(1), OnTimeout.COMPENSATE)))
                .build();
    }

    LocalSagaDefinition<String> atomic() {
        return Saga.define(name + ".atomic", String.class)
                .codec(TextCodec.INSTANCE)
                .step("reserve", step("reserve"))
                .pivot("capture", action("capture"))
                .build();
    }

    private static Consumer<LocalStep<String>> step(String what) {
        return action(what)
                .andThen(step -> step.compensate((owner, transaction) -> {
                            Ledger.leave(transaction.connection(), owner, "undo " + what);
                            transaction.enqueue(Ledger.message(owner, "undo " + what));
                        })
                        .compensationRetry(SOON));
    }

    private static Consumer<LocalStep<String>> action(String what) {
        return step -> step.action((owner, transaction) -> {
                    Ledger.leave(transaction.connection(), owner, what);
                    transaction.enqueue(Ledger.message(owner, what));
                    if (owner.startsWith(Fate.DECLINED.name()) && what.equals("check")) {
                        throw new Declined();
                    }
                    if (owner.startsWith(Fate.FLAKY.name()) && what.equals("reserve") && transaction.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return owner;
                })
                .retry(SOON);
    }

    private static Consumer<RequestStep<String>> request() {
        return pay -> pay.command(
                        owner -> Command.to("payments", "pay").key(owner).json("{}"))
                .onReply("paid", (owner, reply) -> owner)
                .compensate(owner -> Command.to("payments", "refund").key(owner).json("{}"))
                .compensationRetry(RetryPolicy.exponential(NEVER, NEVER, 3));
    }

    private String book(String owner) throws SQLException {
        try (Connection connection = otherSystem.getConnection()) {
            Ledger.leave(connection, owner, "label");
        }
        return owner;
    }

    private Optional<String> booked(String owner) throws SQLException {
        try (Connection connection = otherSystem.getConnection()) {
            return Ledger.isThere(connection, owner, "label") ? Optional.of(owner) : Optional.empty();
        }
    }

    // As the other system must: a repetition with the same key changes nothing.
    private void cancel(String owner) throws SQLException {
        try (Connection connection = otherSystem.getConnection()) {
            if (!Ledger.isThere(connection, owner, "undo label")) {
                Ledger.leave(connection, owner, "undo label");
            }
        }
    }
}
