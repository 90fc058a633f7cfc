package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every message a relay has in flight, from its fetch until it is settled: which may be sent now, which are at the
 * broker, which outcomes wait to be written. At most one message of a lane is at the broker. A message that is put back
 * is only forgotten, because a fetch changes no row. Not thread-safe: guarded by {@link RelayState}.
 */
final class Lanes {

    /** How many suspects are sent together before each of them has to go alone. */
    static final int TRIAL_GROUP = 64;

    private final RelayConfig config;
    private final TopicGates gates;
    private final Map<Long, Flight> flights = new LinkedHashMap<>();
    private final JournalEntries journal;

    // What was forgotten while a fetch was under way: its answer may still show these rows as they were before.
    private final Set<Long> gone = new HashSet<>();
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final Deque<Flight> ready = new ArrayDeque<>();
    private final Deque<Settlement> outcomes = new ArrayDeque<>();
    private final Set<TopicName> probing = new HashSet<>();
    private final List<SeqRange> missed = new ArrayList<>();

    // How many messages stall their lanes, so that most rows need not be looked at.
    private int stalled;
    private long bytes;

    // Nothing at the broker is overdue before this time: not every flight has to be asked every time.
    private long firstDeadline;
    private int sent;

    // Suspects among all flights, and those of them that are at the broker.
    private int suspects;
    private int suspectsSent;
    private boolean suspectsNext = true;

    // The message on trial until the store knows its outcome: were the process to die before, it would be blamed.
    private @Nullable Flight trial;

    Lanes(RelayConfig config, TopicGates gates, JournalEntries journal) {
        this.config = config;
        this.gates = gates;
        this.journal = journal;
        this.firstDeadline = config.nanoTime.getAsLong();
    }

    /** Begins a fetch: what is settled or put back from now on is not added by its answer. */
    void beginFetch() {
        gone.clear();
    }

    /** Returns whether this row is in flight, or was when the fetch began. */
    boolean knows(long seq) {
        return flights.containsKey(seq) || gone.contains(seq);
    }

    /** Returns the sequences in this range that are in flight. */
    Set<Long> seqsIn(SeqRange range) {
        return flights.keySet().stream()
                .filter(seq -> seq > range.after() && seq <= range.upTo())
                .collect(Collectors.toSet());
    }

    /** Returns the sequences of messages in flight whose rows have a due time. */
    Set<Long> dueSeqs() {
        return flights.values().stream()
                .filter(flight -> flight.waited)
                .map(flight -> flight.claimed.seq())
                .collect(Collectors.toSet());
    }

    /** Returns the topics of all messages in flight. */
    Set<TopicName> topics() {
        return flights.values().stream()
                .map(flight -> TopicName.of(flight.claimed.message()))
                .collect(Collectors.toSet());
    }

    /** Returns whether the row of this message has a due time; false if it is not in flight. */
    boolean waited(ClaimedMessage claimed) {
        Flight flight = flight(claimed);
        return flight != null && flight.waited;
    }

    /**
     * Returns whether this message cannot be added because an earlier one of its key cannot be written for now. Its row
     * is part of {@link #takeMissed} afterwards.
     */
    boolean leavesOut(ClaimedMessage claimed) {
        Lane lane = stalled == 0 || !config.inLane(claimed) ? null : lanes.get(Lane.Key.of(claimed));
        if (lane == null || !lane.isStalledFor(claimed.seq())) {
            return false;
        }
        lane.miss(claimed.seq());
        return true;
    }

    /** Returns the ranges of rows that were left out and have to be read again now. */
    List<SeqRange> takeMissed() {
        List<SeqRange> taken = List.copyOf(missed);
        missed.clear();
        return taken;
    }

    /** Returns whether an earlier message of this message's lane is about to be put back, and has to be added first. */
    boolean mustWait(ClaimedMessage claimed) {
        Lane lane = config.inLane(claimed) ? lanes.get(Lane.Key.of(claimed)) : null;
        return lane != null && lane.trialEnding;
    }

    /** Adds a message; {@code waited} if it was fetched because its delay or retry time had come. */
    void add(FetchedRow row, boolean waited) {
        ClaimedMessage claimed = row.claimed();
        Lane lane = config.inLane(claimed) ? lanes.computeIfAbsent(Lane.Key.of(claimed), Lane::new) : null;
        Flight flight = new Flight(claimed, lane, waited);
        flights.put(claimed.seq(), flight);
        journal.add(claimed.token());
        bytes += claimed.message().payloadSize();
        suspects += suspects(flight);
        if (lane != null) {
            lane.unsettled++;
        }
        Long holder = holderOf(row, lane);
        if (holder != null) {
            putBehind(flight, holder);
        } else if (lane == null) {
            ready.add(flight);
        } else {
            lane.waiting.add(flight);
            if (!lane.sending && lane.holder == null && lane.waiting.size() == 1) {
                ready.add(flight);
            }
        }
    }

    // A holder that is in the same lane goes first anyway, and is not waited for in the store.
    private @Nullable Long holderOf(FetchedRow row, @Nullable Lane lane) {
        if (lane != null && lane.holder != null && lane.holderKnown && row.seq() <= lane.holder) {
            // The holder is due again while others are still being put behind it.
            lane.holder = null;
            lane.holderKnown = false;
        }
        if (lane != null && lane.holder != null) {
            return lane.holderKnown ? lane.holder : null;
        }
        // Guards against a message that overtakes one that is just being put behind a holder which is gone by now. The
        // holder itself and what is ahead of it may be fetched meanwhile, and go first.
        if (lane != null && lane.behindOf != null && lane.behind > 0 && lane.behindOf < row.seq()) {
            return lane.behindOf;
        }
        Long holder = row.holder();
        Flight ahead = holder == null ? null : flights.get(holder);
        return ahead == null || ahead.behind || ahead.lane != lane || lane == null ? holder : null;
    }

    /**
     * Takes everything that may be sent now. Suspects and other messages take turns and are never at the broker
     * together, so that many suspects do not hold up the others and the others are not blamed for a suspect.
     */
    List<ClaimedMessage> takeReady(long nanos) {
        if (trial != null || suspectsSent > 0 || ready.isEmpty()) {
            return List.of();
        }
        if (suspects == 0) {
            return take(flight -> true, Integer.MAX_VALUE, nanos);
        }
        Flight suspect = firstSuspect();
        if (suspect != null && suspectsNext) {
            return sent == 0 ? takeSuspects(suspect, nanos) : List.of();
        }
        List<ClaimedMessage> wave = take(flight -> suspicion(flight) == Suspicion.NONE, Integer.MAX_VALUE, nanos);
        suspectsNext = true;
        return wave.isEmpty() && suspect != null && sent == 0 ? takeSuspects(suspect, nanos) : wave;
    }

    private List<ClaimedMessage> takeSuspects(Flight first, long nanos) {
        suspectsNext = false;
        if (suspicion(first) == Suspicion.ALONE) {
            trial = first;
            return take(flight -> flight == first, 1, nanos);
        }
        return take(flight -> suspicion(flight) == Suspicion.GROUP, TRIAL_GROUP, nanos);
    }

    private @Nullable Flight firstSuspect() {
        for (Flight flight : ready) {
            if (flight.state == Flight.State.WAITING && suspicion(flight) != Suspicion.NONE && mayProbe(flight)) {
                return flight;
            }
        }
        return null;
    }

    private List<ClaimedMessage> take(Predicate<Flight> which, int limit, long nanos) {
        List<ClaimedMessage> wave = new ArrayList<>(Math.min(limit, ready.size()));
        Iterator<Flight> candidates = ready.iterator();
        while (candidates.hasNext() && wave.size() < limit) {
            Flight flight = candidates.next();
            if (flight.state != Flight.State.WAITING) {
                candidates.remove();
            } else if (which.test(flight) && mayProbe(flight)) {
                candidates.remove();
                send(flight, nanos);
                wave.add(flight.claimed);
            }
        }
        return wave;
    }

    /** Returns the flight of a message at the broker, or null if it was answered or given up before. */
    @Nullable Flight sent(ClaimedMessage claimed) {
        Flight flight = flight(claimed);
        return flight != null && flight.state == Flight.State.SENT ? flight : null;
    }

    // A row may be fetched again while the broker still works on an earlier delivery of it.
    private @Nullable Flight flight(ClaimedMessage claimed) {
        Flight flight = flights.get(claimed.seq());
        return flight != null && flight.claimed.token() == claimed.token() ? flight : null;
    }

    /** Ends a flight with an outcome; if it holds its key, the rest of its lane waits for it. */
    void end(Flight flight, Settlement settlement) {
        landed(flight);
        flight.state = Flight.State.SETTLING;
        outcomes.add(settlement);
        Lane lane = flight.lane;
        if (lane == null) {
            return;
        }
        if (settlement.holdsKey()) {
            lane.holder = flight.claimed.seq();
        } else {
            proceed(lane);
        }
    }

    /**
     * Ends a flight without an outcome, and the rest of its lane with it; returns the messages whose rows have to be
     * read again. A trial that was begun is ended in the store first; until then it keeps later messages of its lane
     * from being sent.
     */
    List<Flight> putBack(Flight flight) {
        landed(flight);
        List<Flight> back = new ArrayList<>();
        if (flight == trial) {
            if (flight.lane != null) {
                flight.lane.holder = flight.claimed.seq();
            }
            flight.state = Flight.State.SETTLING;
            outcomes.add(Settlement.released(flight.claimed));
            if (flight.lane != null) {
                flight.lane.trialEnding = true;
            }
        } else {
            forget(flight);
            back.add(flight);
        }
        if (flight.lane != null) {
            back.addAll(clear(flight.lane));
        }
        return back;
    }

    /** Puts everything back that matches and was not sent, lanes as a whole; returns those messages. */
    List<Flight> release(Predicate<ClaimedMessage> which) {
        List<Flight> back = new ArrayList<>();
        for (Flight flight : List.copyOf(flights.values())) {
            if (flight.state == Flight.State.WAITING && which.test(flight.claimed)) {
                if (flight.lane != null) {
                    back.addAll(clear(flight.lane));
                } else {
                    forget(flight);
                    back.add(flight);
                }
            }
        }
        return back;
    }

    private List<Flight> clear(Lane lane) {
        List<Flight> waiting = List.copyOf(lane.waiting);
        lane.waiting.clear();
        waiting.forEach(this::forget);
        return waiting;
    }

    /** Forgets what was not sent in shards that have another owner now. */
    void drop(Set<Integer> shards) {
        for (Flight flight : List.copyOf(flights.values())) {
            if (flight.state == Flight.State.WAITING && shards.contains(flight.claimed.shard())) {
                drop(flight);
            }
        }
    }

    private void drop(Flight flight) {
        Lane lane = flight.lane;
        if (lane != null) {
            lane.waiting.remove(flight);
        }
        forget(flight);
        if (lane != null) {
            proceed(lane);
        }
    }

    List<Settlement> takeOutcomes(int limit) {
        List<Settlement> taken = new ArrayList<>(Math.min(limit, outcomes.size()));
        while (taken.size() < limit && !outcomes.isEmpty()) {
            taken.add(outcomes.poll());
        }
        return taken;
    }

    /** The store knows these outcomes. Returns whether that ended a trial or lets a lane go on. */
    boolean settled(List<Settlement> written) {
        boolean tried = trial != null;
        for (Settlement settlement : written) {
            Flight flight = flight(settlement.claimed());
            if (flight == null) {
                continue;
            }
            forget(flight);
            Lane lane = flight.lane;
            if (lane != null && lane.isHeldBy(flight.claimed.seq())) {
                holderSettled(lane, settlement);
            }
            if (lane != null && lane.stalled.isEmpty()) {
                lane.takeMissed().ifPresent(missed::add);
            }
        }
        return tried && trial == null;
    }

    private void holderSettled(Lane lane, Settlement settlement) {
        if (settlement.outcome() == Settlement.Outcome.RELEASED) {
            lane.holder = null;
            clear(lane).forEach(each -> lane.miss(each.claimed.seq()));
        } else {
            lane.holderKnown = true;
            lane.waiting.forEach(each -> putBehind(each, settlement.claimed().seq()));
            lane.waiting.clear();
        }
    }

    private void putBehind(Flight flight, long holder) {
        flight.state = Flight.State.SETTLING;
        flight.behind = true;
        if (flight.lane != null) {
            flight.lane.behind++;
            flight.lane.behindOf = holder;
        }
        outcomes.add(Settlement.behind(flight.claimed, holder));
    }

    /**
     * The store does not take these outcomes for now: the messages stay in flight and keep their lanes, but the rest of
     * a lane with a holder is forgotten, so that one key cannot take all the room. A trial is over all the same, or one
     * row would stop every message; if the process dies before the outcome is written, the message is quarantined.
     * Returns whether a trial was over.
     */
    boolean refused(List<Settlement> outcomes) {
        boolean tried = trial != null;
        for (Settlement settlement : outcomes) {
            Flight flight = flight(settlement.claimed());
            if (flight != null) {
                flight.state = Flight.State.REFUSED;
                trial = trial == flight ? null : trial;
                stall(flight);
            }
        }
        return tried && trial == null;
    }

    private void stall(Flight flight) {
        Lane lane = flight.lane;
        long seq = flight.claimed.seq();
        if (lane == null || !(flight.behind || lane.isHeldBy(seq)) || !lane.stalled.add(seq)) {
            return;
        }
        stalled++;
        List<Flight> later =
                lane.waiting.stream().filter(each -> each.claimed.seq() > seq).toList();
        lane.waiting.removeIf(each -> each.claimed.seq() > seq);
        for (Flight each : later) {
            forget(each);
            lane.miss(each.claimed.seq());
        }
    }

    /** Returns what the broker has not answered in time. */
    List<Flight> overdue(long nanos) {
        if (firstDeadline - nanos >= 0) {
            return List.of();
        }
        List<Flight> late = new ArrayList<>();
        long next = config.publishTimeout.toNanos();
        for (Flight flight : flights.values()) {
            if (flight.state == Flight.State.SENT && flight.deadlineNanos - nanos < 0) {
                late.add(flight);
            } else if (flight.state == Flight.State.SENT) {
                next = Math.min(next, flight.deadlineNanos - nanos);
            }
        }
        firstDeadline = nanos + next;
        return late;
    }

    /** Returns the shards of messages whose outcomes are still to come or can be written now. */
    Set<Integer> busyShards() {
        return flights.values().stream()
                .filter(flight -> flight.state != Flight.State.REFUSED)
                .map(flight -> flight.claimed.shard())
                .collect(Collectors.toSet());
    }

    /** Returns the lowest sequence that is not settled, or {@link Long#MAX_VALUE}. */
    long lowestSeq() {
        return flights.keySet().stream().reduce(Long.MAX_VALUE, Math::min);
    }

    boolean isEmpty() {
        return flights.isEmpty();
    }

    int outcomes() {
        return outcomes.size();
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    boolean hasOutcomes() {
        return !outcomes.isEmpty();
    }

    int size() {
        return flights.size();
    }

    /** Returns how many of them were in flight when a process died. */
    int suspects() {
        return suspects;
    }

    long bytes() {
        return bytes;
    }

    private Suspicion suspicion(Flight flight) {
        return config.suspicion(flight.claimed);
    }

    private int suspects(Flight flight) {
        return suspicion(flight) == Suspicion.NONE ? 0 : 1;
    }

    // While a gate is half open, one message finds out whether the broker is back.
    private boolean mayProbe(Flight flight) {
        if (gates.allOpen()) {
            return true;
        }
        TopicName topic = TopicName.of(flight.claimed.message());
        return !gates.isClosed(topic) && (!gates.isHalfOpen(topic) || !probing.contains(topic));
    }

    private void send(Flight flight, long nanos) {
        flight.state = Flight.State.SENT;
        flight.sentNanos = nanos;
        flight.deadlineNanos = nanos + config.publishTimeout.toNanos();
        sent++;
        suspectsSent += suspects(flight);
        if (!gates.allOpen()) {
            TopicName topic = TopicName.of(flight.claimed.message());
            if (gates.isHalfOpen(topic)) {
                probing.add(topic);
            }
        }
        if (flight.lane != null) {
            flight.lane.waiting.remove(flight);
            flight.lane.sending = true;
        }
    }

    private void landed(Flight flight) {
        if (flight.state != Flight.State.SENT) {
            return;
        }
        sent--;
        suspectsSent -= suspects(flight);
        if (!probing.isEmpty()) {
            probing.remove(TopicName.of(flight.claimed.message()));
        }
        if (flight.lane != null) {
            flight.lane.sending = false;
        }
    }

    private void proceed(Lane lane) {
        Flight next = lane.waiting.peek();
        if (next != null && lane.holder == null && !lane.sending) {
            ready.add(next);
        }
    }

    private void forget(Flight flight) {
        if (!flights.remove(flight.claimed.seq(), flight)) {
            return;
        }
        flight.state = Flight.State.SETTLING;
        gone.add(flight.claimed.seq());
        journal.remove(flight.claimed.token());
        if (trial == flight) {
            trial = null;
            if (flight.lane != null) {
                flight.lane.trialEnding = false;
            }
        }
        bytes -= flight.claimed.message().payloadSize();
        suspects -= suspects(flight);
        Lane lane = flight.lane;
        if (lane == null) {
            return;
        }
        lane.behind -= flight.behind ? 1 : 0;
        stalled -= lane.stalled.remove(flight.claimed.seq()) ? 1 : 0;
        if (--lane.unsettled == 0) {
            lanes.remove(lane.key);
        }
    }
}
