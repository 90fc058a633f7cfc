package dev.postrider.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep the JVM alive. */
final class Daemons {

    private Daemons() {}

    static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    static ThreadFactory numbered(String name) {
        AtomicInteger made = new AtomicInteger();
        return work -> thread(work, name + "-" + made.incrementAndGet());
    }
}
