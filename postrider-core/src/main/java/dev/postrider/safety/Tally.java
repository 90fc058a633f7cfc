package dev.postrider.safety;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what each level does. Thread-safe. */
final class Tally {

    final AtomicLong database = new AtomicLong();
    final AtomicLong file = new AtomicLong();
    final AtomicLong alert = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong lost = new AtomicLong();

    SafetyNetCounts counts() {
        return new SafetyNetCounts(database.get(), file.get(), alert.get(), failed.get(), lost.get());
    }
}
