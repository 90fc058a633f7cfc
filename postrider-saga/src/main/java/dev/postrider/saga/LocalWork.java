package dev.postrider.saga;

import org.jspecify.annotations.Nullable;

/** What a local step does and what undoes it. */
record LocalWork<C>(LocalStep.Action<C> action, LocalStep.@Nullable Compensation<C> compensation)
        implements StepWork<C> {}
