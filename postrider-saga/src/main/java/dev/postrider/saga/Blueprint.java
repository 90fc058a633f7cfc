package dev.postrider.saga;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A checked definition.
 *
 * @param goOn whether other compensations run when one has failed for good
 * @param steps each after all the steps it waits for
 */
record Blueprint<C>(
        SagaVersion id,
        SagaCodec<C> codec,
        @Nullable Duration deadline,
        boolean atomicOnly,
        boolean goOn,
        List<Step<C>> steps) {

    Blueprint {
        steps = List.copyOf(steps);
    }

    /** Whether a stored saga says what its context is. */
    boolean storesContext() {
        return !(codec instanceof NoCodec);
    }

    String name() {
        return id.name();
    }

    int version() {
        return id.version();
    }

    Optional<Step<C>> step(String step) {
        return steps.stream().filter(each -> each.name().equals(step)).findFirst();
    }
}
