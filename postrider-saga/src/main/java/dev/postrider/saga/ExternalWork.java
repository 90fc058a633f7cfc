package dev.postrider.saga;

import org.jspecify.annotations.Nullable;

/** What an external step calls, how it finds out whether it did, and what undoes it. */
record ExternalWork<C>(
        ExternalStep.Call<C> call,
        ExternalStep.@Nullable Verification<C> verification,
        ExternalStep.@Nullable Compensation<C> compensation)
        implements StepWork<C> {}
