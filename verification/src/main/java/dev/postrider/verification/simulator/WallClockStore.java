package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A store that believes the wall clock of the process that calls. */
final class WallClockStore extends ForwardingStore {

    private final long error;
    private final LongConsumer clock;

    /** Sets the {@code clock} wrong by {@code error} nanoseconds during each call. */
    WallClockStore(OutboxStore store, long error, LongConsumer clock) {
        super(store);
        this.error = error;
        this.clock = clock;
    }

    private <T> T wrong(Supplier<T> call) {
        clock.accept(error);
        try {
            return call.get();
        } finally {
            clock.accept(0);
        }
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        return wrong(() -> super.claim(request, range));
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return wrong(() -> super.claimWaiting(request));
    }

    @Override
    public Membership renew(String relay, Duration ownFor) {
        return wrong(() -> super.renew(relay, ownFor));
    }

    @Override
    public List<OwnedShard> acquire(String relay, Set<Integer> shards) {
        return wrong(() -> super.acquire(relay, shards));
    }
}
