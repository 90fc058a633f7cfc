package dev.postrider.benchmarks.contest.trial;

/**
 * What a relay in another process has done since it was told what to expect.
 *
 * @param shards how many shards it owns
 * @param settled how many messages it has recorded as delivered
 * @param deliveries how many messages have arrived, each counted as often as it did
 * @param distinct how many different messages have arrived
 * @param lastSettledAt when it recorded the last one, by {@link System#nanoTime}, which the processes of one machine
 *     share on Linux; 0 if there was none
 * @param cpuNanos the processor time its process has taken since it began
 */
record RelayCounts(int shards, int settled, int deliveries, int distinct, long lastSettledAt, long cpuNanos) {

    static RelayCounts parse(String line) {
        String[] parts = line.split(" ", -1);
        return new RelayCounts(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]));
    }

    /** Returns what {@link #parse} reads. */
    String line() {
        return "%d %d %d %d %d %d".formatted(shards, settled, deliveries, distinct, lastSettledAt, cpuNanos);
    }
}
