package dev.postrider.saga.testkit;

import dev.postrider.saga.DefinitionProbe;
import dev.postrider.saga.Direction;
import dev.postrider.saga.StepTransaction;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stands between the engine and the functions of a definition, breaks them, and remembers what they did. */
final class Sabotage<C> implements DefinitionProbe.Watcher<C> {

    private final DefinitionProbe<C> probe;
    private final Map<StepFault, Integer> left = new HashMap<>();
    private final Map<String, Integer> statements = new HashMap<>();
    private final Map<String, List<UUID>> messages = new HashMap<>();
    private final Set<String> ran = new LinkedHashSet<>();
    private final Set<String> swallowed = new LinkedHashSet<>();
    private final Set<String> losses = new LinkedHashSet<>();
    private Runnable inside = () -> {};
    private String last = Label.START;

    Sabotage(DefinitionProbe<C> probe, List<StepFault> faults) {
        this.probe = probe;
        faults.forEach(each -> left.put(each, each.times()));
    }

    /** Sets what happens inside of each function, after its work. */
    void inside(Runnable value) {
        this.inside = value;
    }

    /** Lets everything work from now on. */
    void heal() {
        left.clear();
    }

    /** The function that ran last. */
    String last() {
        return last;
    }

    /** How many statements the functions of local steps execute. */
    Map<String, Integer> statements() {
        return statements;
    }

    /** The messages that each function enqueued when it last came to its end. */
    Map<String, List<UUID>> messages() {
        return messages;
    }

    /** The functions that ran. */
    Set<String> ran() {
        return ran;
    }

    /** The functions that came to their end although the database had refused one of their statements. */
    Set<String> swallowed() {
        return swallowed;
    }

    /** The steps whose context is another one after it was stored. */
    Set<String> losses() {
        return losses;
    }

    @Override
    public <T> T around(
            String step, Direction direction, @Nullable StepTransaction transaction, DefinitionProbe.Work<T> work)
            throws Exception {
        String label = Label.of(step, direction);
        last = label;
        ran.add(label);
        StepFault fault = take(label);
        if (transaction != null) {
            Evidence.mark(transaction.connection(), transaction.sagaId(), step, direction);
        }
        if (fault != null && fault.when() == StepFault.When.BEFORE) {
            throw new InjectedFailure(label);
        }
        T result = transaction == null ? work.run(null) : watched(label, transaction, fault, work);
        inside.run();
        if (fault != null && fault.when() == StepFault.When.AFTER) {
            throw new InjectedFailure(label);
        }
        return result;
    }

    private <T> T watched(
            String label, StepTransaction transaction, @Nullable StepFault fault, DefinitionProbe.Work<T> work)
            throws Exception {
        int refused = fault == null ? 0 : fault.statement();
        WatchedTransaction watched = new WatchedTransaction(transaction, refused);
        T result = work.run(watched);
        statements.merge(label, watched.statements(), Math::max);
        messages.put(label, watched.messages());
        if (watched.hasRefused()) {
            swallowed.add(label);
        }
        return result;
    }

    private @Nullable StepFault take(String label) {
        for (Map.Entry<StepFault, Integer> each : left.entrySet()) {
            if (each.getKey().label().equals(label) && each.getValue() > 0) {
                each.setValue(each.getValue() - 1);
                return each.getKey();
            }
        }
        return null;
    }

    // Two contexts can only be compared if their class says how.
    @Override
    public void handedOn(String step, C context) {
        try {
            boolean comparable =
                    context.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
            if (comparable && !context.equals(probe.stored(context))) {
                losses.add(step);
            }
        } catch (Exception e) {
            losses.add(step + " (" + e.getClass().getName() + ")");
        }
    }
}
