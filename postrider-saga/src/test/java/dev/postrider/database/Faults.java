package dev.postrider.database;

import java.util.function.Consumer;

/** Breaks something at the fault points, for tests of other packages. */
public final class Faults implements AutoCloseable {

    private Faults() {}

    /** Calls {@code fault} with the name of every point that is reached, until closed. */
    public static Faults install(Consumer<String> fault) {
        FaultPoint.install(fault);
        return new Faults();
    }

    @Override
    public void close() {
        FaultPoint.install(null);
    }
}
