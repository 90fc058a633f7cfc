package dev.postrider.relay;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** The settings of one relay, immutable once the relay is built. */
final class RelayConfig {

    final String relay;
    final int batchSize;
    final int prefetchMessages;
    final long prefetchBytes;
    final Duration claimFor;
    final Duration publishTimeout;
    final Duration ownFor;
    final Duration pollInterval;
    final Duration stopTimeout;
    final int activeRelays;
    final int quarantineAfter;
    final boolean pipelined;
    final LongSupplier nanoTime;
    final RandomGenerator random;
    final RelayListener listener;
    private final RetryPolicy retry;
    private final KeyPolicy keyPolicy;
    private final Map<TopicName, RetryPolicy> retryByTopic;
    private final Map<TopicName, KeyPolicy> keyPolicyByTopic;

    RelayConfig(RelayBuilder builder) {
        this(builder, new RelayListeners(builder.listeners));
    }

    /** The settings of a relay whose listener is another than the builder's. */
    RelayConfig(RelayBuilder builder, RelayListener listener) {
        this.relay = builder.name;
        this.batchSize = builder.batchSize;
        this.prefetchMessages = Math.max(builder.prefetchMessages, builder.batchSize);
        this.prefetchBytes = builder.prefetchBytes;
        this.claimFor = builder.claimFor;
        this.publishTimeout = builder.publishTimeout;
        this.ownFor = builder.ownFor;
        this.pollInterval = builder.pollInterval;
        this.stopTimeout = builder.stopTimeout;
        this.activeRelays = builder.activeRelays;
        this.quarantineAfter = builder.quarantineAfter;
        this.pipelined = builder.pipelined;
        this.nanoTime = builder.nanoTime;
        this.random = builder.random;
        this.listener = listener;
        this.retry = builder.retry;
        this.keyPolicy = builder.keyPolicy;
        this.retryByTopic = new HashMap<>(builder.retryByTopic);
        this.keyPolicyByTopic = new HashMap<>(builder.keyPolicyByTopic);
    }

    RetryPolicy retry(ClaimedMessage claimed) {
        return retryByTopic.getOrDefault(TopicName.of(claimed.message()), retry);
    }

    /** Returns whether later messages of the key wait when this one fails. */
    boolean blocksKey(ClaimedMessage claimed) {
        return claimed.message().key().isPresent()
                && keyPolicyByTopic.getOrDefault(TopicName.of(claimed.message()), keyPolicy) == KeyPolicy.BLOCK_KEY;
    }

    /** Returns whether at most one message of the key may be unacked. */
    boolean inLane(ClaimedMessage claimed) {
        return claimed.message().key().isPresent() && (!pipelined || blocksKey(claimed));
    }

    /** Returns how likely this message is what kills the process. */
    Suspicion suspicion(ClaimedMessage claimed) {
        int lost = claimed.lostClaims();
        if (lost >= quarantineAfter - 1) {
            return Suspicion.ALONE;
        }
        return lost > 0 && lost >= quarantineAfter - 2 ? Suspicion.GROUP : Suspicion.NONE;
    }
}
