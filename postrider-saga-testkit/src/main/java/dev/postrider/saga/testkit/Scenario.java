package dev.postrider.saga.testkit;

import dev.postrider.saga.SagaStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One way in which things go wrong, and how the saga may end then.
 *
 * @param name unlike that of any other scenario of the definition
 * @param path the scenario without a fault on the way
 * @param atomic whether all steps run in one transaction
 * @param replies what is wrong with the reply to which command
 */
record Scenario(
        String name,
        String path,
        boolean atomic,
        List<StepFault> steps,
        @Nullable PointFault point,
        Map<String, ReplyFault> replies,
        Set<SagaStatus> expected) {

    static final String NO_FAULT = "no fault";
    static final String ATOMIC = "in one transaction: ";

    Scenario {
        steps = List.copyOf(steps);
        replies = Map.copyOf(replies);
        expected = Set.copyOf(expected);
    }

    static Scenario noFault() {
        return new Scenario(NO_FAULT, NO_FAULT, false, List.of(), null, Map.of(), Set.of(SagaStatus.COMPLETED));
    }

    static Scenario atomic(String name, SagaStatus... expected) {
        return new Scenario(ATOMIC + name, NO_FAULT, true, List.of(), null, Map.of(), Set.of(expected));
    }

    /** Returns the scenario in which something happens to the functions of one more step. */
    Scenario breaking(String newName, StepFault fault, SagaStatus... ends) {
        List<StepFault> all = new ArrayList<>(steps);
        all.add(fault);
        return new Scenario(newName, newName, atomic, all, point, replies, Set.of(ends));
    }

    /** Returns the scenario with something wrong with the reply to one more command. */
    Scenario answering(String newName, String label, ReplyFault fault, SagaStatus... ends) {
        Map<String, ReplyFault> all = new HashMap<>(replies);
        all.put(label, fault);
        return new Scenario(newName, newName, atomic, steps, point, all, Set.of(ends));
    }

    /** Returns the scenario in which something happens on the way. */
    Scenario at(String newName, PointFault fault, Set<SagaStatus> ends) {
        return new Scenario(newName, path, atomic, steps, fault, replies, ends);
    }

    /** Whether nothing can be read from the number of its messages. */
    boolean isInvisible() {
        return point != null && point.isInvisible();
    }
}
