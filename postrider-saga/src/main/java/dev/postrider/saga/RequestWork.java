package dev.postrider.saga;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a request step asks, what it makes of the replies, and what undoes it.
 *
 * @param replies by the type of the reply
 * @param failures types of replies that say no
 */
record RequestWork<C>(
        Function<C, Command> command,
        Map<String, BiFunction<C, Reply, C>> replies,
        Set<String> failures,
        Duration replyWithin,
        OnTimeout onTimeout,
        @Nullable Function<C, Command> compensation)
        implements StepWork<C> {

    RequestWork {
        replies = Map.copyOf(replies);
        failures = Set.copyOf(failures);
    }
}
