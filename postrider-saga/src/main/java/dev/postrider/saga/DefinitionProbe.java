package dev.postrider.saga;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks into a definition and lets somebody stand between the engine and its functions. For postrider-saga-testkit;
 * applications have no use for it. Immutable.
 */
public final class DefinitionProbe<C> {

    private final SagaDefinition<C> definition;
    private final Blueprint<C> blueprint;

    private DefinitionProbe(SagaDefinition<C> definition) {
        this.definition = Objects.requireNonNull(definition, "definition");
        this.blueprint = definition.blueprint();
    }

    /** Looks into {@code definition}. */
    public static <C> DefinitionProbe<C> of(SagaDefinition<C> definition) {
        return new DefinitionProbe<>(definition);
    }

    /**
     * What a definition says about a step.
     *
     * @param local whether it is one transaction with the journal
     * @param compensatable whether something undoes it
     * @param attempts how often it is tried
     * @param compensationAttempts how often its compensation is tried
     * @param failOn what no repetition can mend
     * @param replies the types of replies that say yes; empty unless it is a request
     * @param refusals the types of replies that say no
     */
    public record StepFacts(
            String name,
            boolean local,
            boolean pivot,
            boolean retriable,
            boolean compensatable,
            int attempts,
            int compensationAttempts,
            List<Class<? extends Throwable>> failOn,
            Set<String> replies,
            Set<String> refusals) {

        /** Keeps copies. */
        public StepFacts {
            failOn = List.copyOf(failOn);
            replies = Set.copyOf(replies);
            refusals = Set.copyOf(refusals);
        }

        /** Whether it asks by a command and waits for the reply. */
        public boolean request() {
            return !replies.isEmpty();
        }
    }

    /** Stands between the engine and the functions of a definition. */
    public interface Watcher<C> {

        /**
         * Runs a function of a step, or does something else.
         *
         * @param transaction that of a local step; null for a command or an external call
         * @param work the function; takes the transaction the function shall see
         */
        <T> T around(String step, Direction direction, @Nullable StepTransaction transaction, Work<T> work)
                throws Exception;

        /** Hears what context a step hands on. */
        void handedOn(String step, C context);
    }

    /** A function of a step. */
    @FunctionalInterface
    public interface Work<T> {

        /** Runs it. */
        T run(@Nullable StepTransaction transaction) throws Exception;
    }

    /** Returns the steps, each after all the steps it waits for. */
    public List<StepFacts> steps() {
        return blueprint.steps().stream().map(DefinitionProbe::facts).toList();
    }

    /** Whether it only ever executes in one transaction. */
    public boolean atomicOnly() {
        return blueprint.atomicOnly();
    }

    /** Whether the saga turns back after some time. */
    public boolean hasDeadline() {
        return blueprint.deadline() != null;
    }

    /** Returns what is left of a context after it was stored and read again. */
    public C stored(C context) throws Exception {
        return blueprint.storesContext()
                ? blueprint.codec().decode(blueprint.codec().encode(context))
                : context;
    }

    /**
     * Returns the same definition, of the same kind and structure, with {@code watcher} around its functions. One
     * without a codec gets one that keeps contexts in memory, so that it executes with a key.
     */
    public SagaDefinition<C> watched(Watcher<C> watcher) {
        Blueprint<C> watched = new Blueprint<>(
                blueprint.id(),
                blueprint.storesContext() ? blueprint.codec() : new MemoryCodec<>(),
                blueprint.deadline(),
                blueprint.atomicOnly(),
                blueprint.goOn(),
                blueprint.steps().stream().map(step -> watched(step, watcher)).toList());
        return definition instanceof LocalSagaDefinition
                ? new LocalSagaDefinition<>(watched)
                : new DurableSagaDefinition<>(watched);
    }

    private static <C> StepFacts facts(Step<C> step) {
        RequestWork<C> request = step.kind() == StepKind.REQUEST ? step.request() : null;
        return new StepFacts(
                step.name(),
                step.kind() == StepKind.LOCAL,
                step.role() == StepRole.PIVOT,
                step.isRetriable(),
                step.isCompensatable(),
                step.rules().retry().maxAttempts(),
                step.rules().compensationRetry().maxAttempts(),
                step.rules().failOn(),
                request == null ? Set.of() : request.replies().keySet(),
                request == null ? Set.of() : request.failures());
    }

    private static <C> Step<C> watched(Step<C> step, Watcher<C> watcher) {
        StepWork<C> work = switch (step.kind()) {
            case LOCAL -> local(step.name(), step.local(), watcher);
            case EXTERNAL -> external(step.name(), step.external(), watcher);
            case REQUEST -> request(step.name(), step.request(), watcher);
        };
        return new Step<>(step.name(), step.kind(), step.role(), step.after(), step.rules(), work);
    }

    private static <C> LocalWork<C> local(String step, LocalWork<C> work, Watcher<C> watcher) {
        LocalStep.Compensation<C> undo = work.compensation();
        return new LocalWork<>(
                (context, transaction) -> {
                    C next = watcher.around(
                            step,
                            Direction.FORWARD,
                            transaction,
                            seen -> work.action().run(context, Objects.requireNonNull(seen)));
                    watcher.handedOn(step, next);
                    return next;
                },
                undo == null
                        ? null
                        : (context, transaction) -> watcher.around(step, Direction.COMPENSATION, transaction, seen -> {
                            undo.run(context, Objects.requireNonNull(seen));
                            return true;
                        }));
    }

    private static <C> ExternalWork<C> external(String step, ExternalWork<C> work, Watcher<C> watcher) {
        ExternalStep.Compensation<C> undo = work.compensation();
        return new ExternalWork<>(
                (context, call) -> {
                    C next = watcher.around(
                            step, Direction.FORWARD, null, seen -> work.call().run(context, call));
                    watcher.handedOn(step, next);
                    return next;
                },
                work.verification(),
                undo == null
                        ? null
                        : (context, call) -> watcher.around(step, Direction.COMPENSATION, null, seen -> {
                            undo.run(context, call);
                            return true;
                        }));
    }

    private static <C> RequestWork<C> request(String step, RequestWork<C> work, Watcher<C> watcher) {
        Map<String, BiFunction<C, Reply, C>> replies = new HashMap<>();
        work.replies()
                .forEach((type, function) -> replies.put(type, (context, reply) -> {
                    C next = function.apply(context, reply);
                    watcher.handedOn(step, next);
                    return next;
                }));
        return new RequestWork<>(
                command(step, Direction.FORWARD, work.command(), watcher),
                replies,
                work.failures(),
                work.replyWithin(),
                work.onTimeout(),
                Optional.ofNullable(work.compensation())
                        .map(undo -> command(step, Direction.COMPENSATION, undo, watcher))
                        .orElse(null));
    }

    private static <C> Function<C, Command> command(
            String step, Direction direction, Function<C, Command> command, Watcher<C> watcher) {
        return context -> {
            try {
                return watcher.around(step, direction, null, seen -> command.apply(context));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }
}
