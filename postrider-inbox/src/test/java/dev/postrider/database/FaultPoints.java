package dev.postrider.database;

import java.util.function.Consumer;

/** Lets a test break something at a {@link FaultPoint}. */
public final class FaultPoints implements AutoCloseable {

    private FaultPoints() {}

    /** Calls {@code fault} at every point until this is closed. */
    public static FaultPoints install(Consumer<String> fault) {
        FaultPoint.install(fault);
        return new FaultPoints();
    }

    @Override
    public void close() {
        FaultPoint.install(null);
    }
}
