package dev.postrider.e2e;

/**
 * One message at the sink. Arrivals stand in the order in which they came in.
 *
 * @param nanos when it arrived, by the monotonic clock of the test's JVM
 * @param relay who sent it
 * @param seq which row it is
 * @param token under which claim it was sent
 * @param shard the shard of its key
 * @param key its key
 * @param number its place among the messages of its key, from zero
 */
record Arrival(long nanos, String relay, long seq, long token, int shard, String key, int number) {

    /** Names the message as the producer does. */
    String message() {
        return key + "#" + number;
    }
}
