package dev.postrider.verification.simulator;

import java.util.List;
import java.util.SplittableRandom;

/** All chance of one part of a history. */
final class Dice {

    private static final long MILLI = 1_000_000;

    private final SplittableRandom random;

    Dice(long seed) {
        this(new SplittableRandom(seed));
    }

    private Dice(SplittableRandom random) {
        this.random = random;
    }

    /** Returns dice of their own for another part, so that parts do not disturb each other. */
    Dice split() {
        return new Dice(random.split());
    }

    SplittableRandom random() {
        return random;
    }

    boolean permille(int chance) {
        return chance > 0 && random.nextInt(1_000) < chance;
    }

    /** Returns a number from {@code low} to {@code high}, both included. */
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    long millis(int low, int high) {
        return random.nextLong(low * MILLI, high * MILLI + 1);
    }

    <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
