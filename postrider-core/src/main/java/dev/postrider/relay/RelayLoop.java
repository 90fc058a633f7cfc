package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a relay does, one step at a time: fetch reads messages, send hands them to the publisher, settle writes the
 * outcomes back. No step waits for the broker, so threads drive them in production and a simulator drives them in
 * virtual time. Thread-safe; fetch and settle are meant for one thread each.
 */
final class RelayLoop {

    private static final int SETTLE_BATCH = 1_000;
    private static final int APART_AT_ONCE = 100;

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private final RelayConfig config;
    private final RelayListener listener;
    private final Runnable progress;
    private final RelayState state;
    private final Fetcher fetcher;

    // A fetch must not overlap the settlement of anything but plain deliveries: it would miss a key that is being
    // held, or put a message behind one that is just being delivered.
    private final ReentrantLock order = new ReentrantLock(true);

    private final UnsettledOutcomes unwritten;
    private final SentApart apart = new SentApart();

    // A wave has to be out before the next one of the same lanes is.
    private final ReentrantLock sending = new ReentrantLock();

    /** Calls {@code progress} whenever an answer, or an error, may let something be sent or settled. */
    RelayLoop(OutboxStore store, MessagePublisher publisher, RelayConfig config, Runnable progress) {
        this.store = store;
        this.publisher = publisher;
        this.config = config;
        this.listener = config.listener;
        this.progress = progress;
        this.state = new RelayState(config);
        this.fetcher = new Fetcher(store, state);
        this.unwritten = new UnsettledOutcomes(config);
    }

    RelayState state() {
        return state;
    }

    /**
     * Fetches what fits: first what is new, then what is due. After each, {@code claimed} sees to it that what is ready
     * is sent.
     */
    Fetcher.Fetched fetch(Consumer<Fetcher.Fetched> claimed) {
        long begin = config.nanoTime.getAsLong();
        Fetcher.Fetched fetched = ordered(fetcher::fetch);
        long took = config.nanoTime.getAsLong() - begin;
        claimed.accept(fetched);
        begin = config.nanoTime.getAsLong();
        int before = fetcher.taken();
        if (ordered(fetcher::fetchDue)) {
            fetched = Fetcher.Fetched.FULL;
        }
        took += config.nanoTime.getAsLong() - begin;
        if (fetcher.taken() > before) {
            claimed.accept(fetched);
        }
        if (fetcher.asked()) {
            listener.polled(fetcher.taken(), fetcher.full(), Duration.ofNanos(took));
        }
        return fetched;
    }

    private <T> T ordered(Supplier<T> claim) {
        order.lock();
        try {
            return claim.get();
        } finally {
            order.unlock();
        }
    }

    /** Hands everything that is ready to the publisher, unless the ownership is about to end. */
    void send() {
        sending.lock();
        try {
            sendReady();
        } finally {
            sending.unlock();
        }
    }

    /** Does as {@link #send}, unless somebody is sending, and returns whether it did. */
    boolean trySend() {
        if (!sending.tryLock()) {
            return false;
        }
        try {
            sendReady();
            return true;
        } finally {
            sending.unlock();
        }
    }

    private void sendReady() {
        List<ClaimedMessage> wave = state.takeReady();
        while (!wave.isEmpty()) {
            apart.divide(wave).forEach(this::publish);
            wave = state.takeReady();
        }
    }

    private void publish(List<ClaimedMessage> wave) {
        List<ClaimedMessage> sound = withoutDefects(wave);
        if (sound.isEmpty() || (config.suspicion(sound.get(0)) == Suspicion.ALONE && !mayTry(sound.get(0)))) {
            return;
        }
        try {
            publisher.publish(sound, this::answer);
            apart.sent(sound);
        } catch (Throwable e) {
            thrown(sound, e);
        }
    }

    // A publisher that throws says nothing about which message is to blame. So each goes apart the next time, and the
    // one whose wave of one throws has failed; an Error must not let the whole wave time out.
    private void thrown(List<ClaimedMessage> wave, Throwable cause) {
        listener.turnFailed("send", cause);
        apart.add(wave);
        if (wave.size() == 1) {
            end(wave.get(0), PublishResult.failed(ErrorText.of(cause)));
        } else {
            wave.forEach(state::giveBack);
            progress.run();
        }
    }

    // In its turn and not when it is claimed: what is ahead of it in its key is not held up by it.
    private List<ClaimedMessage> withoutDefects(List<ClaimedMessage> wave) {
        if (wave.stream().allMatch(claimed -> claimed.defect() == null)) {
            return wave;
        }
        List<ClaimedMessage> sound = new ArrayList<>(wave.size());
        for (ClaimedMessage claimed : wave) {
            String defect = claimed.defect();
            if (defect == null) {
                sound.add(claimed);
            } else {
                listener.integrityFailed(claimed);
                refuse(claimed, defect);
            }
        }
        return sound;
    }

    private void refuse(ClaimedMessage claimed, String why) {
        state.refuse(claimed, why);
        progress.run();
    }

    // A suspect is marked before it is sent: if the process dies now, this message alone is to blame.
    private boolean mayTry(ClaimedMessage suspect) {
        if (suspect.onTrial()) {
            refuse(
                    suspect,
                    "Quarantined: the process died %d times while this message was in flight"
                            .formatted(suspect.lostClaims()));
            return false;
        }
        boolean held = false;
        try {
            held = store.beginTrial(suspect);
        } catch (RuntimeException | Error e) {
            listener.turnFailed("send", e);
        }
        if (!held) {
            state.giveBack(suspect);
            progress.run();
        }
        return held;
    }

    /** Takes an answer of the publisher; only the first for each claim counts. */
    void answer(ClaimedMessage claimed, PublishResult result) {
        if (!end(claimed, result)) {
            listener.answerIgnored();
        }
    }

    private boolean end(ClaimedMessage claimed, PublishResult result) {
        RelayState.Gate gate = state.answered(claimed, result);
        if (gate == null) {
            return false;
        }
        switch (gate) {
            case CLOSED -> listener.gateClosed(TopicName.of(claimed.message()), String.valueOf(result.error()));
            case OPENED -> listener.gateOpened(TopicName.of(claimed.message()));
            case UNCHANGED -> {}
        }
        progress.run();
        return true;
    }

    /** Writes outcomes back and returns how many; what the store did not take is tried again with the next call. */
    int settle() {
        return settleBatch() + settleLocked() + settleApart();
    }

    /** Returns whether {@link #settle} has something to do now. */
    boolean hasOutcomes() {
        return state.hasOutcomes() || unwritten.due() != null || unwritten.hasLockedDue();
    }

    private int settleBatch() {
        List<Settlement> outcomes = unwritten.batch(() -> state.takeOutcomes(SETTLE_BATCH));
        if (outcomes.isEmpty()) {
            return 0;
        }
        try {
            write(outcomes);
        } catch (RuntimeException | Error e) {
            refused(unwritten.batchFailed(), e);
            throw e;
        }
        unwritten.batchWritten();
        return outcomes.size();
    }

    // All at once: each try waits a moment for the locks.
    private int settleLocked() {
        List<Settlement> locked = unwritten.takeLockedDue();
        if (locked.isEmpty()) {
            return 0;
        }
        try {
            write(locked);
        } catch (RuntimeException | Error e) {
            refused(unwritten.lockedFailed(locked), e);
            throw e;
        }
        unwritten.lockedWritten();
        return locked.size();
    }

    // A dead message that is refused does not fail the turn: nothing else is to wait because of it.
    private int settleApart() {
        int written = 0;
        for (UnsettledOutcomes.Apart apart = unwritten.due();
                apart != null && written < APART_AT_ONCE;
                apart = unwritten.due()) {
            try {
                write(List.of(apart.dead));
            } catch (RuntimeException | Error e) {
                listener.turnFailed("settle", e);
                if (unwritten.refused(apart)) {
                    refused(List.of(apart.dead), e);
                }
                break;
            }
            unwritten.written(apart);
            written++;
        }
        return written;
    }

    private void refused(List<Settlement> dead, Throwable cause) {
        if (dead.isEmpty()) {
            return;
        }
        if (state.refused(dead)) {
            progress.run();
        }
        listener.deadRefused(dead, cause);
    }

    private void write(List<Settlement> outcomes) {
        boolean plain = outcomes.stream().allMatch(RelayLoop::isPlain);
        if (!plain) {
            order.lock();
        }
        try {
            Settled settled = store.settle(outcomes);
            List<Settlement> done = without(settled.locked(), outcomes);
            unwritten.locked(settled.locked());
            if (settled.written() < done.size()) {
                state.lost(done);
            }
            boolean trialOver = state.refused(settled.locked());
            if (state.settled(done) || trialOver) {
                progress.run();
            }
            report(done, settled.written());
        } finally {
            if (!plain) {
                order.unlock();
            }
        }
    }

    private static List<Settlement> without(List<Settlement> locked, List<Settlement> outcomes) {
        if (locked.isEmpty()) {
            return outcomes;
        }
        Set<Long> seqs = locked.stream().map(each -> each.claimed().seq()).collect(Collectors.toSet());
        return outcomes.stream()
                .filter(each -> !seqs.contains(each.claimed().seq()))
                .toList();
    }

    private static boolean isPlain(Settlement settlement) {
        return settlement.outcome() == Settlement.Outcome.DELIVERED
                && !settlement.claimed().held();
    }

    private void report(List<Settlement> outcomes, int written) {
        listener.settled(outcomes);
        if (written < outcomes.size()) {
            listener.claimsLost(outcomes.size() - written);
        }
    }
}
