package dev.postrider.saga;

import java.util.function.Consumer;

/** Lets the process die, as far as the engine can tell, when a fault point is reached for the nth time. */
final class Crash implements Consumer<String> {

    private final String point;
    private int left;

    Crash(String point, int nth) {
        this.point = point;
        this.left = nth;
    }

    /** Nothing in the engine catches it. */
    static final class Death extends Error {

        Death(String point) {
            super(point);
        }
    }

    boolean happened() {
        return left <= 0;
    }

    @Override
    public void accept(String reached) {
        if (reached.equals(point) && --left == 0) {
            throw new Death(reached);
        }
    }
}
