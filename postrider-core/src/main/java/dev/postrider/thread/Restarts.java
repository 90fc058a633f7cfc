package dev.postrider.thread;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the errors that ended the work of a thread. Thread-safe. */
final class Restarts {

    private static final Logger log = LoggerFactory.getLogger(SupervisedThread.class);

    private final String name;
    private final AtomicLong count = new AtomicLong();

    Restarts(String name) {
        this.name = name;
    }

    long count() {
        return count.get();
    }

    /** Logs the first failures in a row, and then fewer and fewer of them. */
    void add(Throwable error, int inARow) {
        count.incrementAndGet();
        if (Integer.bitCount(inARow) == 1) {
            quietly(() -> log.error("{} ended by an error and is started again ({} in a row)", name, inARow, error));
        }
    }

    /** The work was told to end and did so by throwing. */
    void ended(Throwable error) {
        if (error instanceof Error) {
            quietly(() -> log.error("{} ended by an error while it was stopped", name, error));
        } else {
            quietly(() -> log.debug("{} ended", name, error));
        }
    }

    // When memory is short, logging may throw what is to be logged.
    private static void quietly(Runnable logging) {
        try {
            logging.run();
        } catch (Throwable e) {
            // The count tells of it.
        }
    }
}
