package dev.postrider.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Ends this process with SIGKILL when a fault point is reached for the nth time. Thread-safe. */
final class SelfKill implements Consumer<String> {

    private final String point;
    private final AtomicInteger left;

    SelfKill(String point, int nth) {
        this.point = point;
        this.left = new AtomicInteger(nth);
    }

    /** What the process prints before it dies. */
    static String lastWords(String point) {
        return "killed at " + point;
    }

    @Override
    public void accept(String reached) {
        if (reached.equals(point) && left.decrementAndGet() == 0) {
            System.out.println(lastWords(point));
            die();
        }
    }

    private static void die() {
        try {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not end this process", e);
        }
        while (true) {
            LockSupport.park();
        }
    }
}
