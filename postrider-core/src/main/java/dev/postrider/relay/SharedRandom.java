package dev.postrider.relay;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Randomness for every thread of a relay. */
final class SharedRandom implements RandomGenerator {

    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
