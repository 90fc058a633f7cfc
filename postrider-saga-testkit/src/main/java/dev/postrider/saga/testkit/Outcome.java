package dev.postrider.saga.testkit;

import java.util.Map;
import java.util.Set;

/**
 * What became of a scenario.
 *
 * @param messages how many messages it left in the outbox
 * @param hits the places the engine came to; empty if something happened at one of them
 * @param statements how many statements each function executed
 */
record Outcome(
        SagaTestReport.Line line, Object effects, int messages, Set<Hit> hits, Map<String, Integer> statements) {}
