package dev.postrider.admin;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a bulk action is run.
 *
 * @param batchSize how many messages one transaction changes
 * @param rate how many messages to change in a second at most; null means as fast as it goes
 * @param listener is told the progress after each batch, on the thread that runs the action
 */
public record BulkOptions(int batchSize, @Nullable Integer rate, Consumer<BulkProgress> listener) {

    private static final int BATCH_SIZE = 500;
    private static final int MAX_BATCH_SIZE = 5_000;

    /** Refuses what cannot work. */
    public BulkOptions {
        if (batchSize < 1 || batchSize > MAX_BATCH_SIZE) {
            throw new IllegalArgumentException(
                    "batchSize must be between 1 and %d but was %d".formatted(MAX_BATCH_SIZE, batchSize));
        }
        if (rate != null && rate < 1) {
            throw new IllegalArgumentException("rate must be at least 1 but was " + rate);
        }
        Objects.requireNonNull(listener, "listener");
    }

    /** Returns batches of 500 as fast as they go. */
    public static BulkOptions defaults() {
        return new BulkOptions(BATCH_SIZE, null, progress -> {});
    }

    /** Returns these options with another {@link #batchSize}. */
    public BulkOptions withBatchSize(int value) {
        return new BulkOptions(value, rate, listener);
    }

    /** Returns these options with another {@link #rate}. */
    public BulkOptions withRate(@Nullable Integer value) {
        return new BulkOptions(batchSize, value, listener);
    }

    /** Returns these options with another {@link #listener}. */
    public BulkOptions withListener(Consumer<BulkProgress> value) {
        return new BulkOptions(batchSize, rate, value);
    }
}
