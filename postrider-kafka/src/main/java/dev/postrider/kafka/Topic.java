package dev.postrider.kafka;

/**
 * What the broker says about a topic.
 *
 * @param maxMessageBytes the largest batch it takes; {@link Integer#MAX_VALUE} if it did not say
 */
record Topic(String name, int partitions, int maxMessageBytes) {

    /**
     * Says whether a full batch would be too large for the topic. The client splits such a batch into batches of the
     * same size again, without end; so only one message at a time may go into a batch.
     */
    boolean isNarrow(int batchSize) {
        return maxMessageBytes < batchSize;
    }
}
