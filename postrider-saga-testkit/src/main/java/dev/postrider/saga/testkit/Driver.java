package dev.postrider.saga.testkit;

import dev.postrider.admin.Decision;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaStateException;
import dev.postrider.saga.SagaStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes one saga on until it rests: runs what is due, answers commands, lets time pass when there is nothing else. */
final class Driver<C> {

    /** Long enough that only the scenario ends a claim. */
    static final Duration CLAIM = Duration.ofMinutes(1);

    private static final Duration SHORT_CLAIM = Duration.ofMillis(1);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final int MAX_TURNS = 2_000;
    private static final int MAX_IDLE = 3;

    private final UUID saga;
    private final Evidence evidence;
    private final SagaAdmin admin;
    private final Function<Duration, SagaEngine> engines;
    private final Participants<C> participants;
    private final List<String> violations = new ArrayList<>();
    private @Nullable String afterTakeOver;
    private SagaEngine engine;

    Driver(
            UUID saga,
            Setup<C> setup,
            Evidence evidence,
            Participants<C> participants,
            Function<Duration, SagaEngine> engines,
            boolean slow) {
        this.saga = saga;
        this.evidence = evidence;
        this.admin = SagaAdmin.of(setup.dataSource());
        this.participants = participants;
        this.engines = engines;
        this.engine = engines.apply(slow ? SHORT_CLAIM : CLAIM);
    }

    SagaDetails details() {
        return admin.show(saga).orElseThrow();
    }

    List<String> violations() {
        return violations;
    }

    /** Goes on until the saga has ended or is stuck. */
    void drive() {
        int idle = 0;
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            boolean ran = turn();
            SagaDetails now = details();
            boolean answered = participants.answer(engine, now);
            if (!answered && !now.saga().status().active()) {
                checkTakeOver(now);
                return;
            }
            idle = ran || answered ? 0 : idle + 1;
            if (idle > MAX_IDLE) {
                violations.add("D10: the saga is %s and due, but no engine takes it up"
                        .formatted(now.saga().status()));
                return;
            }
            if (idle > 0 && !letTimePass(now)) {
                return;
            }
        }
        violations.add("D5: the saga did not come to an end within %d turns".formatted(MAX_TURNS));
    }

    private boolean turn() {
        try {
            return engine.turn() > 0;
        } catch (Crash e) {
            engine = engines.apply(CLAIM);
            return true;
        }
    }

    private boolean letTimePass(SagaDetails now) {
        Instant due = now.schedule().wakeAt();
        if (due == null) {
            violations.add("D10: the saga is %s but will never be due"
                    .formatted(now.saga().status()));
            return false;
        }
        Instant claimed = now.schedule().claimedUntil();
        passUntil(claimed != null && claimed.isAfter(due) ? claimed : due);
        return true;
    }

    private void passUntil(Instant time) {
        Duration left = Duration.between(evidence.now(saga), time).plus(MOMENT);
        if (!left.isNegative()) {
            evidence.pass(saga, left);
            participants.timePasses();
        }
    }

    /** Lets happen what the scenario says, in the middle of the engine's work. */
    void act(PointFault fault) {
        switch (fault.act()) {
            case CRASH -> throw new Crash(fault.point());
            case FREEZE -> takeOver();
            case SLOW -> tryToTakeOver(fault);
            case CANCEL -> cancel();
            case DEADLINE -> passDeadline();
        }
    }

    // The engine stands still on this very thread while another one does the rest.
    private void takeOver() {
        Instant claimed = details().schedule().claimedUntil();
        if (claimed != null) {
            passUntil(claimed);
        }
        SagaEngine frozen = engine;
        engine = engines.apply(CLAIM);
        drive();
        afterTakeOver = state(details());
        engine = frozen;
    }

    private void checkTakeOver(SagaDetails now) {
        if (afterTakeOver != null && !afterTakeOver.equals(state(now))) {
            violations.add("D4: an engine that had lost its claim has written: %s became %s"
                    .formatted(afterTakeOver, state(now)));
        }
        afterTakeOver = null;
    }

    private static String state(SagaDetails saga) {
        return "%s at revision %d, %s".formatted(saga.saga().status(), saga.revision(), Trail.of(saga.journal()));
    }

    private void tryToTakeOver(PointFault fault) {
        Instant claimed = details().schedule().claimedUntil();
        while (claimed != null && !evidence.now(saga).isAfter(claimed)) {
            Thread.onSpinWait();
        }
        if (engines.apply(CLAIM).turn() > 0) {
            violations.add("D4: a second engine got hold of the saga while '%s' was in its transaction"
                    .formatted(fault.after()));
        }
    }

    private void cancel() {
        try {
            admin.cancel(saga, new Decision("SagaTest", "The scenario says so"));
        } catch (SagaStateException e) {
            if (!details().pivotPassed() && details().saga().status().active()) {
                violations.add("The saga cannot be cancelled before its pivot: " + e.getMessage());
            }
        }
    }

    private void passDeadline() {
        Instant deadline = details().schedule().deadlineAt();
        if (deadline != null) {
            passUntil(deadline);
        }
    }

    /** Does what an operator does after the cause is gone; false if that cannot help. */
    boolean retry() {
        SagaDetails now = details();
        boolean unknown =
                now.saga().failure() != null && now.saga().failure().type().equals("PIVOT_UNKNOWN");
        if (now.saga().status() != SagaStatus.STUCK || unknown) {
            return false;
        }
        participants.heal();
        admin.retry(saga, new Decision("SagaTest", "Nothing is broken any more"));
        drive();
        return true;
    }

    /** Checks that nothing is left that nobody cares for. */
    void checkHealth() {
        if (admin.neglected(Duration.ZERO, 100).stream()
                .anyMatch(each -> each.id().equals(saga))) {
            violations.add("D10: nobody cares for the saga");
        }
    }
}
