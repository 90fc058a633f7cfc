package dev.postrider.spring.boot.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes relays after a commit that stored messages. A wake-up that fails harms nothing: relays poll. Thread-safe. */
public final class AfterCommit implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(AfterCommit.class);

    private final List<Runnable> wakeUps = new CopyOnWriteArrayList<>();

    public void add(Runnable wakeUp) {
        wakeUps.add(wakeUp);
    }

    @Override
    public void run() {
        for (Runnable wakeUp : wakeUps) {
            try {
                wakeUp.run();
            } catch (RuntimeException e) {
                log.warn("Could not wake a relay after a commit; it finds the messages by polling", e);
            }
        }
    }
}
