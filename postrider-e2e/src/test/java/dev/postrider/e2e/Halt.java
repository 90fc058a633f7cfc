package dev.postrider.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Holds a thread at a fault point, when it is reached for the nth time, until a file is there; so that the process can
 * be frozen just then. Thread-safe.
 */
final class Halt implements Consumer<String> {

    private static final long PAUSE = Duration.ofMillis(10).toNanos();

    private final String point;
    private final AtomicInteger left;
    private final Path file;

    Halt(String point, int nth, Path file) {
        this.point = point;
        this.left = new AtomicInteger(nth);
        this.file = file;
    }

    /** What the process prints when it is there. */
    static String there(String point) {
        return "halts at " + point;
    }

    @Override
    public void accept(String reached) {
        if (reached.equals(point) && left.decrementAndGet() == 0) {
            System.out.println(there(point));
            while (!Files.exists(file)) {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }
}
