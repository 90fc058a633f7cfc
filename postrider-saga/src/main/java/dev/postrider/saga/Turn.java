package dev.postrider.saga;

import org.jspecify.annotations.Nullable;

/**
 * What a transaction of a run leads to.
 *
 * @param goesOn whether there is more to do at once
 * @param call what has to be called now; null if nothing
 */
record Turn<C>(boolean goesOn, @Nullable ArmedCall<C> call) {

    static <C> Turn<C> ended(boolean goesOn) {
        return new Turn<>(goesOn, null);
    }
}
