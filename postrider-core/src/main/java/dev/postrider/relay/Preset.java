package dev.postrider.relay;

import dev.postrider.TenantPolicy;
import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Settings that belong together, for the common ways to use an outbox. {@link RelayBuilder#preset} takes those of the
 * relay; the outbox takes its part with {@code JdbcOutbox.builder().tenantPolicy(Preset.LEASE.tenantPolicy())}.
 */
public enum Preset {
    /** Sagas: the engine's defaults. */
    SAGA(Duration.ofSeconds(1), 100, Duration.ofSeconds(30), RetryPolicy.defaults(), TenantPolicy.ANY),
    /** A general outbox of many modules and tenants: jittered retries, ten attempts, tenant-bound dedupe keys. */
    LEASE(
            Duration.ofSeconds(5),
            100,
            Duration.ofSeconds(30),
            RetryPolicy.exponentialWithJitter(Duration.ofSeconds(1), Duration.ofSeconds(300), 10),
            TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT),
    /**
     * Domain events: a schedule that ends in a try every 15 minutes for ever. A publisher to RabbitMQ also needs
     * {@code unroutable(RETRY)}, or a message that no queue takes is DEAD at once.
     */
    DOMAIN_EVENTS(
            Duration.ofSeconds(5),
            100,
            Duration.ofSeconds(30),
            RetryPolicy.schedule(List.of(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(900))),
            TenantPolicy.ANY),
    /** Orders to Kafka: small batches, five quick attempts, then dead. */
    KAFKA_ORDERS(
            Duration.ofSeconds(5),
            10,
            Duration.ofSeconds(30),
            RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofMillis(1600), 5),
            TenantPolicy.ANY),
    /** Money: long claims, three retries that double from 30 seconds. */
    SAFETY_NET(
            Duration.ofSeconds(10),
            100,
            Duration.ofMinutes(5),
            RetryPolicy.exponential(Duration.ofSeconds(30), Duration.ofHours(1), 4),
            TenantPolicy.ANY);

    private final Duration pollInterval;
    private final int batchSize;
    private final Duration claimFor;

    // Every policy named above is a record of immutable values.
    @SuppressWarnings("ImmutableEnumChecker")
    private final RetryPolicy retry;

    private final TenantPolicy tenantPolicy;

    Preset(Duration pollInterval, int batchSize, Duration claimFor, RetryPolicy retry, TenantPolicy tenantPolicy) {
        this.pollInterval = pollInterval;
        this.batchSize = batchSize;
        this.claimFor = claimFor;
        this.retry = retry;
        this.tenantPolicy = tenantPolicy;
    }

    /**
     * Returns the preset with this name, in lower case with dashes.
     *
     * @throws IllegalArgumentException naming all presets there are
     */
    public static Preset named(String name) {
        return Arrays.stream(values())
                .filter(preset -> preset.presetName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no preset '%s'; there are %s"
                        .formatted(
                                name,
                                Arrays.stream(values()).map(Preset::presetName).collect(Collectors.joining(", ")))));
    }

    /** The name users write, for example {@code kafka-orders}. */
    public String presetName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The longest wait of an idle relay. */
    public Duration pollInterval() {
        return pollInterval;
    }

    /** How many messages one turn claims. */
    public int batchSize() {
        return batchSize;
    }

    /** The upper bound of a relay's publish time-out, and how long a claim lasts in a loop of one's own. */
    public Duration claimFor() {
        return claimFor;
    }

    /** Delays between attempts. */
    public RetryPolicy retry() {
        return retry;
    }

    /**
     * What the outbox demands of dedupe keys. A relay cannot apply it, because the check belongs to the enqueue: hand
     * it to the builder of the outbox. An outbox that is not told checks as {@link #LEASE} does.
     */
    public TenantPolicy tenantPolicy() {
        return tenantPolicy;
    }
}
