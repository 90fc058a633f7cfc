package dev.postrider.saga.testkit;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows one thread through the places of the engine and lets something happen at one of them, once. */
final class Points implements Consumer<String> {

    private final Thread thread = Thread.currentThread();
    private final Set<Hit> hits = new LinkedHashSet<>();
    private final Supplier<String> last;
    private final BooleanSupplier free;
    private final @Nullable PointFault fault;
    private final Consumer<PointFault> act;
    private boolean happened;
    private boolean busy;

    Points(Supplier<String> last, BooleanSupplier free, @Nullable PointFault fault, Consumer<PointFault> act) {
        this.last = last;
        this.free = free;
        this.fault = fault;
        this.act = act;
    }

    /** Each place the engine came to, with the function that had run before. */
    Set<Hit> hits() {
        return hits;
    }

    boolean happened() {
        return happened;
    }

    @Override
    public void accept(String point) {
        if (busy || Thread.currentThread() != thread) {
            return;
        }
        busy = true;
        try {
            reached(point, last.get());
        } finally {
            busy = false;
        }
    }

    private void reached(String point, String after) {
        if (fault == null) {
            if (hits.stream()
                    .noneMatch(
                            each -> each.point().equals(point) && each.after().equals(after))) {
                hits.add(new Hit(point, after, free.getAsBoolean()));
            }
        } else if (!happened && fault.matches(point, after)) {
            happened = true;
            act.accept(fault);
        }
    }
}
