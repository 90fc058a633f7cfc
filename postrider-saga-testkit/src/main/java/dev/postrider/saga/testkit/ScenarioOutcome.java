package dev.postrider.saga.testkit;

import java.util.Map;
import java.util.Set;

/**
 * What became of a scenario.
 *
 * @param rests whether the saga has ended or is stuck
 * @param messages how many messages it left in the outbox
 * @param hits the places the engine came to; empty if something happened at one of them
 * @param statements how many statements each function executed
 */
record ScenarioOutcome(
        SagaTestReport.Line line,
        boolean rests,
        Object effects,
        int messages,
        Set<Hit> hits,
        Map<String, Integer> statements) {}
