package dev.postrider.database;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Named places where tests let something break. Outside of tests nothing happens there. */
public final class FaultPoint {

    private static volatile @Nullable Consumer<String> fault;

    private FaultPoint() {}

    /** Says that this place is reached; a test may throw, wait or end the process here. */
    public static void reached(String point) {
        Consumer<String> installed = fault;
        if (installed != null) {
            installed.accept(point);
        }
    }

    /** Calls {@code value} at every place that is reached, on its thread; null takes it away. For tests only. */
    public static void install(@Nullable Consumer<String> value) {
        fault = value;
    }
}
