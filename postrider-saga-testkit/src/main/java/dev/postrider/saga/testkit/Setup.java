package dev.postrider.saga.testkit;

import dev.postrider.saga.DefinitionProbe;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What is tested, and with what.
 *
 * @param replies what participants say to the command of a step
 * @param refusals what they say if they refuse
 */
record Setup<C>(
        SagaDefinition<C> definition,
        DataSource dataSource,
        Supplier<C> start,
        SagaTest.@Nullable Effects<C> effects,
        Map<String, Answer> replies,
        Map<String, Answer> refusals) {

    /** What a participant says. */
    record Answer(String type, String payload) {}

    DefinitionProbe<C> probe() {
        return DefinitionProbe.of(definition);
    }

    /** Reads what a saga left; an empty text if nobody says how. */
    Object effects(C context) {
        if (effects == null) {
            return "";
        }
        try (Connection connection = dataSource.getConnection()) {
            return effects.read(connection, context);
        } catch (Exception e) {
            throw new IllegalStateException("effects(..) failed: " + e.getMessage(), e);
        }
    }

    SagaEngine engine(SagaDefinition<C> watched, Duration claimFor) {
        return SagaEngine.builder(dataSource)
                .register(watched)
                .claimFor(claimFor)
                .build();
    }

    static <C> SagaHandle<C> start(SagaEngine engine, SagaDefinition<C> watched, String key, C context) {
        return watched instanceof LocalSagaDefinition<C> local
                ? engine.saga(local).start(key, context)
                : engine.saga((DurableSagaDefinition<C>) watched).start(key, context);
    }

    Answer reply(DefinitionProbe.StepFacts step) {
        return replies.getOrDefault(
                step.name(), new Answer(step.replies().iterator().next(), "{}"));
    }

    Answer refusal(DefinitionProbe.StepFacts step) {
        String type = step.refusals().isEmpty()
                ? "refused"
                : step.refusals().iterator().next();
        return refusals.getOrDefault(step.name(), new Answer(type, "{}"));
    }
}
