package dev.postrider.saga;

import dev.postrider.spi.ErrorText;
import org.jspecify.annotations.Nullable;

/** A failure, or none, as it fits a row. */
record FailureText(
        @Nullable String step,
        @Nullable String type,
        @Nullable String message) {

    private static final int MAX_TYPE = 300;
    private static final int MAX_TEXT = 2_000;
    private static final FailureText NONE = new FailureText(null, null, null);

    static FailureText of(@Nullable SagaFailure failure) {
        return failure == null
                ? NONE
                : new FailureText(failure.step(), ErrorText.clean(failure.type(), MAX_TYPE), clean(failure.message()));
    }

    static @Nullable String clean(@Nullable String text) {
        return text == null ? null : ErrorText.clean(text, MAX_TEXT);
    }
}
