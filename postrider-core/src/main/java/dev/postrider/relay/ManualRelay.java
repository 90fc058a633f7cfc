package dev.postrider.relay;

import dev.postrider.LostClaimException;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * For people who drive their own loop: claim, deliver, then ack or nack each message. It keeps no order per key; use a
 * {@link Relay} for that, and do not mix the two on one outbox. Thread-safe.
 */
public final class ManualRelay {

    private final OutboxStore store;
    private final String owner;
    private final RetryPolicy retry;
    private final RelayListener listener;
    private final @Nullable String namespace;

    /** Claims in the name of {@code owner}; {@code retry} says how long a nacked message waits and when it is dead. */
    public ManualRelay(OutboxStore store, String owner, RetryPolicy retry) {
        this(store, owner, retry, new RelayListener() {});
    }

    /** As above; {@code listener} hears of recovered claims and of rows with a defect. */
    public ManualRelay(OutboxStore store, String owner, RetryPolicy retry, RelayListener listener) {
        this(store, owner, retry, listener, null);
    }

    private ManualRelay(
            OutboxStore store, String owner, RetryPolicy retry, RelayListener listener, @Nullable String namespace) {
        this.store = Objects.requireNonNull(store, "store");
        this.owner = Objects.requireNonNull(owner, "owner");
        this.retry = Objects.requireNonNull(retry, "retry");
        this.listener = Objects.requireNonNull(listener, "listener");
        this.namespace = namespace;
    }

    /** Returns a relay with the same settings that claims messages of this namespace only. Default all namespaces. */
    public ManualRelay inNamespace(String only) {
        return new ManualRelay(store, owner, retry, listener, Objects.requireNonNull(only, "only"));
    }

    /**
     * Claims up to {@code batchSize} due messages, oldest first; each claim counts as an attempt. A message that has
     * used up {@code maxAttempts} and whose claim expired becomes DEAD. A message with a defect becomes DEAD too and is
     * never handed out, so fewer than {@code batchSize} does not mean that no more are due.
     */
    public List<ClaimedMessage> claim(int batchSize, Duration claimFor, int maxAttempts) {
        List<ClaimedMessage> sound = new ArrayList<>();
        List<Settlement> dead = new ArrayList<>();
        List<ClaimedMessage> batch = store.claimUnsharded(owner, batchSize, claimFor, maxAttempts, namespace);
        int recovered =
                (int) batch.stream().filter(claimed -> claimed.lostClaims() > 0).count();
        if (recovered > 0) {
            listener.claimsRecovered(recovered);
        }
        for (ClaimedMessage claimed : batch) {
            String defect = claimed.defect();
            if (defect == null) {
                sound.add(claimed);
            } else {
                listener.integrityFailed(claimed);
                dead.add(Settlement.dead(claimed, defect, false));
            }
        }
        if (!dead.isEmpty()) {
            store.settle(dead);
        }
        return sound;
    }

    /** Claims with the retry policy's limit of attempts. */
    public List<ClaimedMessage> claim(int batchSize, Duration claimFor) {
        return claim(batchSize, claimFor, retry.maxAttempts());
    }

    /**
     * The message was delivered.
     *
     * @throws LostClaimException if the claim is no longer held; the message must then not be nacked either
     */
    public void ack(ClaimedMessage claimed) {
        settle(Settlement.delivered(claimed));
    }

    /**
     * The message was not delivered: it waits as the retry policy says, or is DEAD at the limit.
     *
     * @throws LostClaimException if the claim is no longer held
     */
    public void nack(ClaimedMessage claimed, String error) {
        int limit = claimed.message().maxAttempts().orElse(retry.maxAttempts());
        settle(
                claimed.attempt() >= limit
                        ? Settlement.dead(claimed, error, false)
                        : Settlement.retry(
                                claimed,
                                retry.delayAfter(claimed.attempt(), ThreadLocalRandom.current()),
                                error,
                                false));
    }

    private void settle(Settlement settlement) {
        if (store.settle(List.of(settlement)).written() == 0) {
            throw new LostClaimException(settlement.claimed().message().id());
        }
    }
}
