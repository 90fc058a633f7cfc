package dev.postrider.spring.boot;

import dev.postrider.relay.Preset;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries the properties of the relay to its builder. A property that is not set keeps the builder's default. */
final class RelaySettings {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);

    private RelaySettings() {}

    static void apply(PostriderProperties.Relay settings, RelayBuilder builder) {
        set(settings.preset(), name -> builder.preset(Preset.named(name)));
        set(settings.name(), builder::name);
        set(settings.pollInterval(), builder::pollInterval);
        set(settings.batchSize(), builder::batchSize);
        set(settings.publishTimeout(), builder::publishTimeout);
        set(settings.ownershipTime(), builder::ownFor);
        set(settings.stopTimeout(), builder::stopTimeout);
        set(settings.activeRelays(), builder::activeRelays);
        set(settings.keyPolicy(), builder::keyPolicy);
        if (settings.retry().isSet()) {
            builder.retry(retry(settings.retry()));
        }
    }

    private static RetryPolicy retry(PostriderProperties.Retry retry) {
        Duration first = retry.firstDelay() == null ? FIRST_DELAY : retry.firstDelay();
        Duration max = retry.maxDelay() == null ? MAX_DELAY : retry.maxDelay();
        int attempts = retry.maxAttempts() == null ? RetryPolicy.defaults().maxAttempts() : retry.maxAttempts();
        return retry.jitter()
                ? RetryPolicy.exponentialWithJitter(first, max, attempts)
                : RetryPolicy.exponential(first, max, attempts);
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }
}
