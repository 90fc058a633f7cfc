package dev.postrider.services;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ends what is still running when the JVM ends. */
final class AtExit {

    private static final Set<Runnable> PENDING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::runAll, "test-services-exit"));
    }

    private AtExit() {}

    static void add(Runnable end) {
        PENDING.add(end);
    }

    static void remove(Runnable end) {
        PENDING.remove(end);
    }

    // One service that does not end must not keep the others from ending.
    private static void runAll() {
        IllegalStateException failure = new IllegalStateException("Could not end every test service");
        for (Runnable end : PENDING) {
            try {
                end.run();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
