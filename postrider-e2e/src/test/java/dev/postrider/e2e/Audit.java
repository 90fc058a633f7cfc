package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares what was enqueued with what arrived and with what the table says at the end.
 *
 * @param enqueued how many messages were committed
 * @param lost committed and never arrived
 * @param invented arrived and never committed
 * @param reordered arrived for the first time after a later message of the same key had arrived
 * @param duplicates how many arrivals were not the first of their message
 * @param unexplained sent twice under one claim, or by two relays neither of which was killed, frozen or cut off
 * @param undelivered rows that are not DELIVERED
 */
record Audit(
        int enqueued,
        Set<String> lost,
        Set<String> invented,
        List<String> reordered,
        int duplicates,
        List<String> unexplained,
        Set<Long> undelivered) {

    /** Audits a run in which something was done to the relays in {@code faulted}. */
    static Audit of(
            Map<String, Integer> enqueued, List<Arrival> arrivals, Map<Long, Stage.Row> rows, Set<String> faulted) {
        Set<String> missing = new TreeSet<>();
        enqueued.forEach((key, count) -> IntStream.range(0, count).forEach(number -> missing.add(key + "#" + number)));
        int total = missing.size();
        Set<String> seen = new HashSet<>();
        Set<String> invented = new TreeSet<>();
        List<String> reordered = new ArrayList<>();
        Map<String, Integer> highest = new HashMap<>();
        Map<Long, List<Arrival>> bySeq = arrivals.stream().collect(Collectors.groupingBy(Arrival::seq));
        for (Arrival arrival : arrivals) {
            if (!seen.add(arrival.message())) {
                continue;
            }
            if (!missing.remove(arrival.message())) {
                invented.add(arrival.message());
            }
            if (highest.merge(arrival.key(), arrival.number(), Math::max) > arrival.number()) {
                reordered.add(arrival.message());
            }
        }
        List<String> unexplained = bySeq.values().stream()
                .filter(sends -> isUnexplained(sends, faulted))
                .map(Object::toString)
                .toList();
        Set<Long> undelivered = rows.entrySet().stream()
                .filter(row -> row.getValue().status() != Stage.Row.DELIVERED)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        return new Audit(total, missing, invented, reordered, arrivals.size() - seen.size(), unexplained, undelivered);
    }

    // Every send has a claim of its own, and at most one of them was made by a relay that nothing had happened to.
    private static boolean isUnexplained(List<Arrival> sends, Set<String> faulted) {
        long claims = sends.stream().map(Arrival::token).distinct().count();
        long sound =
                sends.stream().filter(send -> !faulted.contains(send.relay())).count();
        return claims < sends.size() || sound > 1;
    }

    /** Prints the figures and fails if a promise was broken. */
    Audit check(String what) {
        print(what, "%d duplicates of which %d unexplained".formatted(duplicates, unexplained.size()));
        assertThat(unexplained).as("unexplained duplicates").isEmpty();
        return checkArrivals();
    }

    /** As {@link #check}, where nothing tells under which claim a message was sent. */
    Audit checkWithoutClaims(String what) {
        print(what, "%d duplicates".formatted(duplicates));
        return checkArrivals();
    }

    private void print(String what, String repeated) {
        System.out.printf(
                "%s: %,d enqueued, %d lost, %d invented, %d reordered, %s, %d not DELIVERED%n",
                what, enqueued, lost.size(), invented.size(), reordered.size(), repeated, undelivered.size());
    }

    private Audit checkArrivals() {
        assertThat(lost).as("lost").isEmpty();
        assertThat(invented).as("invented").isEmpty();
        assertThat(reordered).as("reordered").isEmpty();
        assertThat(undelivered).as("not delivered").isEmpty();
        return this;
    }
}
