package dev.postrider.relay;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.safety.SafetyNet;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Configures a {@link Relay}. Every option has a default that suits production. */
public final class RelayBuilder {

    private static final Duration SHORTEST_OWNERSHIP = Duration.ofMillis(500);

    final OutboxStore store;
    final MessagePublisher publisher;
    private String prefix = "relay";
    String name = unique(prefix);
    RetryPolicy retry = RetryPolicy.defaults();
    KeyPolicy keyPolicy = KeyPolicy.BLOCK_KEY;
    final Map<TopicName, RetryPolicy> retryByTopic = new HashMap<>();
    final Map<TopicName, KeyPolicy> keyPolicyByTopic = new HashMap<>();
    boolean pipelined;
    int batchSize = 500;
    int prefetchMessages = 4_000;
    long prefetchBytes = 16L * 1024 * 1024;
    Duration claimFor = Duration.ofSeconds(30);
    Duration publishTimeout = Duration.ofSeconds(20);
    Duration ownFor = Duration.ofSeconds(2);
    Duration pollInterval = Duration.ofSeconds(1);
    Duration stopTimeout = Duration.ofSeconds(10);
    int activeRelays = Integer.MAX_VALUE;
    int quarantineAfter = 3;
    final List<RelayListener> listeners = new ArrayList<>();

    @Nullable WakeUp wakeUp;

    @Nullable SafetyNet safetyNet;

    LongSupplier nanoTime = System::nanoTime;
    RandomGenerator random = new SharedRandom();

    RelayBuilder(OutboxStore store, MessagePublisher publisher) {
        this.store = Objects.requireNonNull(store, "store");
        this.publisher = Objects.requireNonNull(publisher, "publisher");
    }

    /** Takes poll interval, batch size, claim time and retry policy from a preset. */
    public RelayBuilder preset(Preset preset) {
        return pollInterval(preset.pollInterval())
                .batchSize(preset.batchSize())
                .claimFor(preset.claimFor())
                .retry(preset.retry());
    }

    /** What the relay is called in the store; a random suffix makes it unique. Default {@code relay}. */
    public RelayBuilder name(String value) {
        if (!value.matches("[A-Za-z0-9._-]{1,60}")) {
            throw new IllegalArgumentException(
                    "name must be 1 to 60 letters, digits, dots, dashes or underscores but was '%s'".formatted(value));
        }
        this.prefix = value;
        this.name = unique(value);
        return this;
    }

    /** Delays between attempts. Default {@link RetryPolicy#defaults()}. */
    public RelayBuilder retry(RetryPolicy policy) {
        this.retry = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Delays between attempts for one topic. */
    public RelayBuilder retry(TopicName topic, RetryPolicy policy) {
        this.retryByTopic.put(Objects.requireNonNull(topic, "topic"), Objects.requireNonNull(policy, "policy"));
        return this;
    }

    /** What a failed message does to its key. Default {@link KeyPolicy#BLOCK_KEY}. */
    public RelayBuilder keyPolicy(KeyPolicy policy) {
        this.keyPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** What a failed message does to its key in one topic. */
    public RelayBuilder keyPolicy(TopicName topic, KeyPolicy policy) {
        this.keyPolicyByTopic.put(Objects.requireNonNull(topic, "topic"), Objects.requireNonNull(policy, "policy"));
        return this;
    }

    /**
     * Lets several messages of one key be at the broker at once, where the policy is
     * {@link KeyPolicy#PARK_AND_CONTINUE}. Faster for few keys; an unreachable broker may then reorder them. Default
     * off.
     */
    public RelayBuilder pipelined(boolean allowed) {
        this.pipelined = allowed;
        return this;
    }

    /** How many messages one turn claims. Default 500. */
    public RelayBuilder batchSize(int size) {
        this.batchSize = (int) atLeast("batchSize", 1, size);
        return this;
    }

    /** How many messages may be claimed and not settled; never less than a batch. Default 4,000. */
    public RelayBuilder prefetchMessages(int messages) {
        this.prefetchMessages = (int) atLeast("prefetchMessages", 1, messages);
        return this;
    }

    /** How many bytes of payload may be claimed and not settled. Default 16 MiB. */
    public RelayBuilder prefetchBytes(long bytes) {
        this.prefetchBytes = atLeast("prefetchBytes", 1, bytes);
        return this;
    }

    /** An upper bound of the publish time-out and of three poll intervals. Default 30 s. */
    public RelayBuilder claimFor(Duration duration) {
        this.claimFor = positive("claimFor", duration);
        return this;
    }

    /**
     * How long the broker may take to answer for a message; silence counts as a failed attempt. Publishers give up
     * earlier and answer that the broker is unavailable, which costs no attempt: the difference is for a process that
     * gets too little processor time. Default 20 s.
     */
    public RelayBuilder publishTimeout(Duration duration) {
        this.publishTimeout = positive("publishTimeout", duration);
        return this;
    }

    /** How long a relay that is silent keeps its shards. Default 2 s, at least 500 ms. */
    public RelayBuilder ownFor(Duration duration) {
        if (duration.compareTo(SHORTEST_OWNERSHIP) < 0) {
            throw new IllegalArgumentException(
                    "ownFor must be at least %s but was %s".formatted(SHORTEST_OWNERSHIP, duration));
        }
        this.ownFor = duration;
        return this;
    }

    /** The longest wait of an idle relay between two looks at the table. Default 1 s. */
    public RelayBuilder pollInterval(Duration duration) {
        this.pollInterval = positive("pollInterval", duration);
        return this;
    }

    /** How long {@link Relay#close} waits for the broker. Default 10 s. */
    public RelayBuilder stopTimeout(Duration duration) {
        this.stopTimeout = positive("stopTimeout", duration);
        return this;
    }

    /** How many relays deliver at a time; further ones stand by. Default all. */
    public RelayBuilder activeRelays(int count) {
        this.activeRelays = (int) atLeast("activeRelays", 1, count);
        return this;
    }

    /** After so many deaths of the process with this message in flight it is dead. Default 3, at least 2. */
    public RelayBuilder quarantineAfter(int deaths) {
        this.quarantineAfter = (int) atLeast("quarantineAfter", 2, deaths);
        return this;
    }

    /** Hears what the relay does. May be called several times; every listener is told. */
    public RelayBuilder listener(RelayListener relayListener) {
        listeners.add(Objects.requireNonNull(relayListener, "listener"));
        return this;
    }

    /** Brings wake-ups from other processes; closed by its owner, not by the relay. */
    public RelayBuilder wakeUp(WakeUp channel) {
        this.wakeUp = Objects.requireNonNull(channel, "channel");
        return this;
    }

    /** Catches dead messages that the database does not record; closed by its owner, not by the relay. Default none. */
    public RelayBuilder safetyNet(SafetyNet net) {
        this.safetyNet = Objects.requireNonNull(net, "net");
        return this;
    }

    /**
     * Builds the relay. Each call builds another relay with a name of its own.
     *
     * @throws IllegalArgumentException if the settings do not fit together, with the rule in the message
     */
    public Relay build() {
        if (pollInterval.multipliedBy(3).compareTo(claimFor) > 0) {
            throw new IllegalArgumentException(
                    "pollInterval %s is above claimFor / 3 = %s / 3: choose a shorter pollInterval or a longer claimFor"
                            .formatted(pollInterval, claimFor));
        }
        if (publishTimeout.compareTo(claimFor) > 0) {
            throw new IllegalArgumentException(
                    "publishTimeout %s is above claimFor %s: choose a shorter publishTimeout or a longer claimFor"
                            .formatted(publishTimeout, claimFor));
        }
        if (safetyNet != null && store.decrypts() && !safetyNet.mayKeepSecrets()) {
            throw new IllegalArgumentException(
                    "The store decrypts payloads and the safety net would write them to its files as they are: use"
                            + " encryptWith of the safety net, or backupDecryptedPayloads if that is intended");
        }
        // Two relays with one name would own the same shards.
        this.name = unique(prefix);
        return new Relay(this);
    }

    private static String unique(String prefix) {
        return "%s-%08x".formatted(prefix, ThreadLocalRandom.current().nextInt());
    }

    private static long atLeast(String option, long least, long value) {
        if (value < least) {
            throw new IllegalArgumentException("%s must be at least %d but was %d".formatted(option, least, value));
        }
        return value;
    }

    private static Duration positive(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive but was %s".formatted(option, value));
        }
        return value;
    }
}
