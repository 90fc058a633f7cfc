package dev.postrider.saga.testkit;

import dev.postrider.saga.DefinitionProbe.StepFacts;
import dev.postrider.saga.Direction;
import dev.postrider.saga.JournalEntry;
import dev.postrider.saga.Reply;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.StepStatus;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Answers the commands of a saga, as the scenario says. */
final class Participants<C> {

    private final Setup<C> setup;
    private final Map<String, ReplyFault> faults;
    private final Set<String> answered = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private boolean timeHasPassed;

    Participants(Setup<C> setup, Map<String, ReplyFault> faults) {
        this.setup = setup;
        this.faults = new HashMap<>(faults);
    }

    /** Says that a reply that comes now is late. */
    void timePasses() {
        timeHasPassed = true;
    }

    /** Lets everybody answer from now on. */
    void heal() {
        faults.clear();
        answered.clear();
    }

    List<String> violations() {
        return violations;
    }

    /** Answers what is not answered yet; returns whether there was anything. */
    boolean answer(SagaEngine engine, SagaDetails saga) {
        boolean any = false;
        for (JournalEntry entry : saga.journal()) {
            ReplyFault fault = faults.get(Label.of(entry));
            boolean waits = entry.status() == StepStatus.WAITING && entry.commandId() != null;
            boolean silent = fault == ReplyFault.NEVER || (fault == ReplyFault.LATE && !timeHasPassed);
            if (waits && !silent && answered.add(Label.of(entry))) {
                answer(engine, saga, entry);
                any = true;
            }
        }
        return any;
    }

    private void answer(SagaEngine engine, SagaDetails details, JournalEntry entry) {
        UUID saga = details.saga().id();
        ReplyFault fault = faults.get(Label.of(entry));
        StepFacts step = setup.probe().steps().stream()
                .filter(each -> each.name().equals(entry.step()))
                .findFirst()
                .orElseThrow();
        boolean refused = fault == ReplyFault.REFUSED && entry.direction() == Direction.FORWARD;
        Setup.Answer answer = refused ? setup.refusal(step) : setup.reply(step);
        if (fault == ReplyFault.FOREIGN
                && accepted(engine, saga, UUID.randomUUID().toString(), answer, refused)) {
            violations.add("D6: a reply to a command that nobody sent was taken for one to " + Label.of(entry));
        }
        String command = String.valueOf(entry.commandId());
        if (!accepted(engine, saga, command, answer, refused)
                && isAwaited(details, entry)
                && fault != ReplyFault.LATE) {
            violations.add("D6: the reply %s to %s was not taken".formatted(answer.type(), Label.of(entry)));
        }
        if (fault == ReplyFault.TWICE && accepted(engine, saga, command, answer, refused)) {
            violations.add("D6: the second reply to %s was taken as well".formatted(Label.of(entry)));
        }
    }

    // A saga that has turned back has no use for what comes to a step on the way forward.
    private static boolean isAwaited(SagaDetails saga, JournalEntry entry) {
        SagaStatus status = saga.saga().status();
        return entry.direction() == Direction.COMPENSATION
                ? status == SagaStatus.COMPENSATING
                : status == SagaStatus.RUNNING || status == SagaStatus.WAITING;
    }

    private boolean accepted(SagaEngine engine, UUID saga, String command, Setup.Answer answer, boolean refused) {
        Map<String, String> headers = new HashMap<>(Map.of("in-reply-to", command, "saga-id", saga.toString()));
        if (refused) {
            headers.put("saga-outcome", "REFUSED");
        }
        Reply reply = Reply.of(answer.type(), headers, answer.payload().getBytes(StandardCharsets.UTF_8));
        try (Connection connection = setup.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            boolean accepted = engine.onReply(connection, reply);
            connection.commit();
            connection.setAutoCommit(true);
            return accepted;
        } catch (SQLException e) {
            throw new IllegalStateException("SagaTest could not bring a reply: " + e.getMessage(), e);
        }
    }
}
