package dev.postrider.saga;

import java.time.Duration;

/**
 * How a runner works.
 *
 * @param name who claims
 * @param batch how many sagas a thread claims at once
 */
record RunnerSettings(String name, int threads, int batch, Duration claimFor, Duration pollInterval) {}
