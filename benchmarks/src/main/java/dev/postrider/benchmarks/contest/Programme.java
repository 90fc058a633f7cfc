package dev.postrider.benchmarks.contest;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contenders.Entrant.Trait;
import dev.postrider.benchmarks.contest.arena.CrowdKind;
import dev.postrider.benchmarks.contest.arena.DatabaseKind;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import dev.postrider.benchmarks.contest.trial.Match;
import dev.postrider.benchmarks.contest.trial.TrialKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Who meets whom in which workload. */
final class Programme {

    private static final int KEYS = 1_000;
    private static final int DRAIN_LIMIT_SECONDS = 120;
    // Of drains that last about a second each.
    private static final int LAPS = 5;
    // How much longer than the least it may take until the compiler is done.
    private static final int LONGER_WARM_UP = 3;
    private static final int SLOW_RATE = 20;
    private static final int BUSY_RATE = 1_000;
    // A quarter of the run has fifteen, so that a moment in which the machine does something else decides no median.
    private static final int STEADY_WINDOWS = 60;
    private static final int KEPT_SHARE = 10;
    private static final int WAITING_SHARE = 10;
    // Messages that are a millisecond of work each.
    private static final int WORK_SHARE = 10;

    private final Scale scale;
    private final boolean everybody;
    private final List<Match> matches = new ArrayList<>();

    private Programme(Scale scale, boolean everybody) {
        this.scale = scale;
        this.everybody = everybody;
    }

    /** Returns all matches of a round. With {@code everybody} off, contenders that decide no ratio stay away. */
    static List<Match> of(Scale scale, boolean everybody) {
        Programme programme = new Programme(scale, everybody);
        programme.enqueue();
        programme.drains();
        programme.latencies();
        programme.brokers();
        programme.growth();
        programme.others();
        programme.mariadb();
        return List.copyOf(programme.matches);
    }

    private void enqueue() {
        Parameters parameters = Parameters.none()
                .with("threads", everybody ? "1,4,16" : "1,4")
                .with("slices", scale.slices())
                .with("slice_ms", scale.sliceMillis());
        add("w1", Entrant.POSTRIDER_ENQUEUE, TrialKind.ENQUEUE, SinkKind.NOOP, parameters);
        each(entrant -> true, entrant -> add("w1", entrant, TrialKind.ENQUEUE, SinkKind.NOOP, parameters));
    }

    private void drains() {
        each(entrant -> true, entrant -> add("w2", entrant, TrialKind.DRAIN, SinkKind.NOOP, drain(entrant)));
        if (everybody) {
            int messages = scale.messages() / WORK_SHARE;
            each(
                    entrant -> entrant.is(Trait.ROW_STATE),
                    entrant -> add("w2.work", entrant, TrialKind.DRAIN, SinkKind.WORK, drain(messages, KEYS)));
        }
    }

    private void latencies() {
        Parameters slow = Parameters.none().with("rate", SLOW_RATE).with("seconds", scale.latencySeconds());
        each(
                entrant -> !entrant.is(Trait.LIMIT),
                entrant -> add("w3", entrant, TrialKind.LATENCY, SinkKind.HANDLER, slow));
        add("w3.cross", Entrant.POSTRIDER, TrialKind.CROSS, SinkKind.HANDLER, slow);
        Parameters busy = slow.with("rate", BUSY_RATE).with("warm_up", BUSY_RATE * scale.warmUpSeconds());
        each(
                entrant -> entrant == Entrant.POSTRIDER || (everybody && entrant == Entrant.GRUELBOX),
                entrant -> add("w3.busy", entrant, TrialKind.LATENCY, SinkKind.HANDLER, busy));
    }

    private void brokers() {
        each(entrant -> true, entrant -> add("w4.kafka", entrant, TrialKind.DRAIN, SinkKind.KAFKA, drain(entrant)));
        each(
                entrant -> entrant.is(Trait.RABBITMQ) && (everybody || entrant == Entrant.POSTRIDER),
                entrant -> add(
                        "w4.rabbitmq",
                        entrant,
                        TrialKind.DRAIN,
                        SinkKind.RABBITMQ,
                        drain(scale.messages(entrant) / 2, KEYS)));
    }

    private void growth() {
        for (CrowdKind crowd : CrowdKind.values()) {
            int others = crowd == CrowdKind.WAITING ? scale.crowd() / WAITING_SHARE : scale.crowd();
            add(
                    "w5." + crowd.name().toLowerCase(Locale.ROOT),
                    Entrant.POSTRIDER,
                    TrialKind.DRAIN,
                    SinkKind.NOOP,
                    drain(scale.messages(), KEYS).with("crowd", crowd).with("others", others));
        }
    }

    private void others() {
        each(
                entrant -> entrant.is(Trait.ROW_STATE, Trait.ORDER),
                entrant -> add(
                        "w6",
                        entrant,
                        TrialKind.DRAIN,
                        SinkKind.NOOP,
                        drain(entrant.peer() ? scale.peerMessages() / WORK_SHARE : scale.messages() / 2, 1)));
        add(
                "w8",
                Entrant.POSTRIDER,
                TrialKind.SCALE,
                SinkKind.NOOP,
                Parameters.none()
                        .with("messages", scale.messages())
                        .with("warm_up_laps", everybody ? 3 : 1)
                        .with("laps", everybody ? 5 : 1));
        add("w9", Entrant.POSTRIDER, TrialKind.FOOTPRINT, SinkKind.HANDLER, Parameters.none());
        add(
                "w7",
                Entrant.POSTRIDER,
                TrialKind.STEADY,
                SinkKind.HANDLER,
                Parameters.none()
                        .with("seconds", scale.steadySeconds())
                        .with("rate", BUSY_RATE)
                        .with("window", Math.max(1, scale.steadySeconds() / STEADY_WINDOWS))
                        .with("keep", scale.steadySeconds() / KEPT_SHARE));
    }

    private void mariadb() {
        each(
                entrant -> entrant.is(Trait.MARIADB),
                entrant -> matches.add(new Match(
                        "mariadb.w2", entrant, TrialKind.DRAIN, DatabaseKind.MARIADB, SinkKind.NOOP, drain(entrant))));
    }

    private Parameters drain(Entrant entrant) {
        int messages = scale.messages(entrant);
        return drain(messages, KEYS).with("laps", everybody && messages == scale.messages() ? LAPS : 1);
    }

    private Parameters drain(int messages, int keys) {
        return Parameters.none()
                .with("messages", messages)
                .with("keys", keys)
                .with("limit", DRAIN_LIMIT_SECONDS)
                .with("warm_up", scale.warmUpSeconds())
                .with("laps", 1)
                .with("longest_warm_up", scale.warmUpSeconds() * (everybody ? LONGER_WARM_UP : 1))
                .with("crowd", CrowdKind.NONE)
                .with("others", 0);
    }

    private void each(Predicate<Entrant> who, Consumer<Entrant> what) {
        Arrays.stream(Entrant.values())
                .filter(entrant -> everybody || !entrant.is(Trait.SLOW))
                .filter(entrant -> !entrant.is(Trait.ENQUEUE_ONLY))
                .filter(who)
                .forEach(what);
    }

    private void add(String workload, Entrant entrant, TrialKind trial, SinkKind sink, Parameters parameters) {
        matches.add(new Match(workload, entrant, trial, DatabaseKind.POSTGRESQL, sink, parameters));
    }
}
