package dev.postrider.saga;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas are meant.
 *
 * @param definition the name of their definition; null means that it does not matter
 * @param statuses where they are; empty means that it does not matter
 * @param unchangedFor how long nothing has happened to them, at least; zero means that it does not matter
 */
public record SagaFilter(@Nullable String definition, Set<SagaStatus> statuses, Duration unchangedFor) {

    /** Keeps a copy of the statuses. */
    public SagaFilter {
        statuses = Set.copyOf(statuses);
        if (unchangedFor.isNegative()) {
            throw new IllegalArgumentException("unchangedFor must not be negative but was " + unchangedFor);
        }
    }

    /** Returns a filter that every saga passes. */
    public static SagaFilter all() {
        return new SagaFilter(null, Set.of(), Duration.ZERO);
    }

    /** Returns the filter for sagas of one definition only, in all its versions. */
    public SagaFilter withDefinition(String name) {
        return new SagaFilter(Objects.requireNonNull(name, "definition"), statuses, unchangedFor);
    }

    /** Returns the filter for sagas in these states only. */
    public SagaFilter withStatus(SagaStatus... any) {
        return new SagaFilter(definition, Set.of(any), unchangedFor);
    }

    /** Returns the filter for sagas to which nothing has happened for that long. */
    public SagaFilter withUnchangedFor(Duration atLeast) {
        return new SagaFilter(definition, statuses, atLeast);
    }
}
