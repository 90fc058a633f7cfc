package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
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
import org.jspecify.annotations.Nullable;

/**
 * Every claimed message of a relay until it is settled: which may be sent now, which are at the broker, which outcomes
 * wait to be written. At most one message of a lane is at the broker. Not thread-safe: guarded by {@link RelayState}.
 */
final class Lanes {

    /** How many suspects are sent together before each of them has to go alone. */
    static final int TRIAL_GROUP = 64;

    private final RelayConfig config;
    private final TopicGates gates;
    private final Map<Flight.Id, Flight> flights = new LinkedHashMap<>();
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final Deque<Flight> ready = new ArrayDeque<>();
    private final Deque<Settlement> outcomes = new ArrayDeque<>();
    private final Set<TopicName> probing = new HashSet<>();
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

    Lanes(RelayConfig config, TopicGates gates) {
        this.config = config;
        this.gates = gates;
        this.firstDeadline = config.nanoTime.getAsLong();
    }

    /** Adds a message that was claimed above the head or in a gap. */
    void add(ClaimedMessage claimed, long nanos) {
        add(claimed, nanos, false);
    }

    /** Adds a message; {@code waited} if it was claimed because its delay or retry time had come. */
    void add(ClaimedMessage claimed, long nanos, boolean waited) {
        Lane lane = config.inLane(claimed) ? lanes.computeIfAbsent(Lane.Key.of(claimed), Lane::new) : null;
        Flight flight = new Flight(claimed, lane, nanos, waited);
        flights.put(Flight.Id.of(claimed), flight);
        bytes += claimed.message().payloadSize();
        suspects += suspects(flight);
        if (lane == null) {
            ready.add(flight);
            return;
        }
        lane.unsettled++;
        if (lane.blocked != null) {
            giveBack(flight, lane.blocked);
            return;
        }
        lane.waiting.add(flight);
        if (!lane.sending && lane.waiting.size() == 1) {
            ready.add(flight);
        }
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

    /** Returns whether a message was claimed because its delay or retry time had come. */
    boolean waited(ClaimedMessage claimed) {
        Flight flight = flights.get(Flight.Id.of(claimed));
        return flight != null && flight.waited;
    }

    /** Returns the flight of a message at the broker, or null if it was answered or given up before. */
    @Nullable Flight sent(ClaimedMessage claimed) {
        Flight flight = flights.get(Flight.Id.of(claimed));
        return flight != null && flight.state == Flight.State.SENT ? flight : null;
    }

    /** Ends a flight; what it means for its lane depends on the outcome. */
    void end(Flight flight, Settlement settlement) {
        landed(flight);
        flight.state = Flight.State.SETTLING;
        outcomes.add(settlement);
        Lane lane = flight.lane;
        if (lane == null) {
            return;
        }
        if (settlement.outcome() == Settlement.Outcome.RELEASED) {
            block(lane, Settlement.Outcome.RELEASED);
        } else if (settlement.holdsKey()) {
            block(lane, Settlement.Outcome.BEHIND);
        } else {
            proceed(lane);
        }
    }

    /** Gives everything back that matches and was not sent; lanes are blocked as a whole. */
    void release(Predicate<ClaimedMessage> which) {
        for (Flight flight : List.copyOf(flights.values())) {
            if (flight.state == Flight.State.WAITING && which.test(flight.claimed)) {
                if (flight.lane != null) {
                    block(flight.lane, Settlement.Outcome.RELEASED);
                } else {
                    giveBack(flight, Settlement.Outcome.RELEASED);
                }
            }
        }
    }

    /** Forgets what was not sent in shards that have another owner now. */
    void drop(Set<Integer> shards) {
        for (Flight flight : List.copyOf(flights.values())) {
            if (flight.state == Flight.State.WAITING && shards.contains(flight.claimed.shard())) {
                drop(flight);
            }
        }
    }

    /** Forgets one message whose claim is gone. */
    void drop(Flight flight) {
        landed(flight);
        flight.state = Flight.State.SETTLING;
        Lane lane = flight.lane;
        if (lane != null) {
            lane.waiting.remove(flight);
            proceed(lane);
        }
        forget(flight.claimed);
    }

    List<Settlement> takeOutcomes(int limit) {
        List<Settlement> taken = new ArrayList<>(Math.min(limit, outcomes.size()));
        while (taken.size() < limit && !outcomes.isEmpty()) {
            taken.add(outcomes.poll());
        }
        return taken;
    }

    /** The store knows these outcomes; their lanes end unless more is in them. Returns whether that ended a trial. */
    boolean settled(List<Settlement> written) {
        boolean waited = trial != null;
        written.forEach(settlement -> forget(settlement.claimed()));
        return waited && trial == null;
    }

    /**
     * The store does not take these outcomes for now: the messages keep their claims and their lanes. A trial is over
     * all the same, for whoever is to blame should the process die now, the message is dead. Returns whether it was.
     */
    boolean refused(List<Settlement> dead) {
        boolean waited = trial != null;
        for (Settlement settlement : dead) {
            Flight flight = flights.get(Flight.Id.of(settlement.claimed()));
            if (flight != null) {
                flight.state = Flight.State.REFUSED;
                trial = trial == flight ? null : trial;
            }
        }
        return waited && trial == null;
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

    /** Returns the unsettled claims made or extended before {@code nanos}. */
    List<Flight> claimedBefore(long nanos) {
        return select(flight -> flight.state != Flight.State.SETTLING && flight.claimedNanos - nanos < 0);
    }

    Set<Integer> busyShards() {
        Set<Integer> busy = new HashSet<>();
        flights.values().forEach(flight -> busy.add(flight.claimed.shard()));
        return busy;
    }

    /** Returns the lowest sequence that is not settled, or {@link Long#MAX_VALUE}. */
    long lowestSeq() {
        return flights.values().stream()
                .mapToLong(flight -> flight.claimed.seq())
                .min()
                .orElse(Long.MAX_VALUE);
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

    long bytes() {
        return bytes;
    }

    private List<Flight> select(Predicate<Flight> which) {
        return flights.values().stream().filter(which).toList();
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
        if (next != null && lane.blocked == null && !lane.sending) {
            ready.add(next);
        }
    }

    private void block(Lane lane, Settlement.Outcome outcome) {
        lane.blocked = outcome;
        lane.waiting.forEach(flight -> giveBack(flight, outcome));
        lane.waiting.clear();
    }

    private void giveBack(Flight flight, Settlement.Outcome outcome) {
        flight.state = Flight.State.SETTLING;
        outcomes.add(
                outcome == Settlement.Outcome.BEHIND
                        ? Settlement.behind(flight.claimed)
                        : Settlement.released(flight.claimed));
    }

    private void forget(ClaimedMessage claimed) {
        Flight flight = flights.remove(Flight.Id.of(claimed));
        if (flight == null) {
            return;
        }
        if (trial == flight) {
            trial = null;
        }
        bytes -= claimed.message().payloadSize();
        suspects -= suspects(flight);
        Lane lane = flight.lane;
        if (lane != null && --lane.unsettled == 0) {
            lanes.remove(lane.key);
        }
    }
}
