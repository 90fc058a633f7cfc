package dev.postrider.spring.boot.relay;

import dev.postrider.relay.Preset;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spring.boot.PostriderProperties;
import dev.postrider.spring.boot.internal.SettingsException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries the properties of the relay to its builder. A property that is not set keeps the builder's default. */
final class RelaySettings {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);

    private RelaySettings() {}

    static void apply(PostriderProperties.Relay settings, RelayBuilder builder) {
        set("preset", settings.preset(), name -> builder.preset(Preset.named(name)));
        set("name", settings.name(), builder::name);
        set("poll-interval", settings.pollInterval(), builder::pollInterval);
        set("batch-size", settings.batchSize(), builder::batchSize);
        set("publish-timeout", settings.publishTimeout(), builder::publishTimeout);
        set("ownership-time", settings.ownershipTime(), builder::ownFor);
        set("stop-timeout", settings.stopTimeout(), builder::stopTimeout);
        set("active-relays", settings.activeRelays(), builder::activeRelays);
        set("key-policy", settings.keyPolicy(), builder::keyPolicy);
        if (settings.retry().isSet()) {
            set("retry", settings.retry(), retry -> builder.retry(retry(retry)));
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

    /** Builds the relay, whose settings may contradict each other. */
    static Relay build(RelayBuilder builder) {
        return SettingsException.checked(
                builder::build,
                "The settings of the relay do not fit together",
                "Correct poll-interval, publish-timeout or preset under postrider.relay, or call claimFor(...) in a bean of"
                        + " type RelayCustomizer");
    }

    private static <T> void set(String setting, @Nullable T value, Consumer<T> setter) {
        if (value != null) {
            SettingsException.checked(
                    () -> {
                        setter.accept(value);
                        return value;
                    },
                    "postrider.relay.%s cannot be %s".formatted(setting, value),
                    "Correct postrider.relay." + setting);
        }
    }
}
