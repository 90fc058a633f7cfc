package dev.postrider.database;

import java.util.function.Consumer;

/** Opens the fault points to processes that tests start. */
public final class FaultPoints {

    private FaultPoints() {}

    /** Calls {@code fault} at every point from now on. */
    public static void install(Consumer<String> fault) {
        FaultPoint.install(fault);
    }
}
