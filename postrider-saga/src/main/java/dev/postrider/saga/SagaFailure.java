package dev.postrider.saga;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a saga turned back or stopped.
 *
 * @param step the step that failed; null if it was no step's fault
 * @param type what kind of failure it is: the name of an exception, or a word such as {@code CANCELLED}
 * @param message what it said about itself; null if it said nothing
 */
public record SagaFailure(
        @Nullable String step, String type, @Nullable String message) {

    /** Refuses a failure of no kind. */
    public SagaFailure {
        Objects.requireNonNull(type, "type");
    }
}
