package dev.postrider.saga;

/** The functions of a step. */
sealed interface StepWork<C> permits LocalWork, RequestWork, ExternalWork {}
