package dev.postrider.saga;

import java.time.Duration;

/**
 * How a runner works.
 *
 * @param name who claims
 * @param batch how many sagas a thread claims at once
 * @param patience how long closing waits for the steps that are under way before it interrupts them
 */
record RunnerSettings(
        String name, int threads, int batch, Duration claimFor, Duration pollInterval, Duration patience) {}
