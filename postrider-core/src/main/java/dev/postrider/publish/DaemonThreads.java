package dev.postrider.publish;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep the JVM alive. */
final class DaemonThreads {

    private DaemonThreads() {}

    static ThreadFactory named(String name) {
        AtomicInteger made = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
