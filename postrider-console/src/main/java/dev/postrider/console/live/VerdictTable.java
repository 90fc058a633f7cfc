package dev.postrider.console.live;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.Decided;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.PausedTopic;
import dev.postrider.console.live.SourceVerdict.Mood;
import dev.postrider.console.route.CappedCount;
import dev.postrider.spi.RelayMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sentences about a source, the worst first. The first one that is true is the verdict. */
final class VerdictTable {

    private static final Duration LATE = Duration.ofSeconds(5);
    private static final Duration LONGEST_FORECAST = Duration.ofDays(2);
    private static final double MILLIS = 1_000;

    private static final List<Function<Situation, Optional<SourceVerdict>>> RULES = List.of(
            VerdictTable::unreachable,
            VerdictTable::schema,
            VerdictTable::noRelay,
            VerdictTable::topicUnreachable,
            VerdictTable::allPaused,
            VerdictTable::topicPaused,
            VerdictTable::late,
            VerdictTable::keysBlocked,
            VerdictTable::dead);

    private VerdictTable() {}

    static SourceVerdict of(Situation situation) {
        for (Function<Situation, Optional<SourceVerdict>> rule : RULES) {
            Optional<SourceVerdict> verdict = rule.apply(situation);
            if (verdict.isPresent()) {
                return verdict.get();
            }
        }
        OutboxStats stats = situation.stats();
        Duration oldest = stats == null ? Duration.ZERO : stats.oldestPending();
        return Mood.OK.of(
                "delivering",
                oldest.isZero()
                        ? "Delivering normally. Nothing is pending."
                        : "Delivering normally. Oldest pending %s.".formatted(Wording.duration(oldest)),
                null,
                null);
    }

    private static Optional<SourceVerdict> unreachable(Situation situation) {
        if (situation.trouble() != Situation.Trouble.UNREACHABLE) {
            return Optional.empty();
        }
        return Optional.of(Mood.BAD.of(
                "database-unreachable",
                "The database is unreachable%s.".formatted(since(situation.troubleSince(), situation)),
                situation.troubleSince(),
                null));
    }

    private static Optional<SourceVerdict> schema(Situation situation) {
        if (situation.trouble() != Situation.Trouble.SCHEMA) {
            return Optional.empty();
        }
        return Optional.of(Mood.BAD.of(
                "schema-missing", "Tables are missing or do not fit this version.", situation.troubleSince(), null));
    }

    private static Optional<SourceVerdict> noRelay(Situation situation) {
        OutboxStats stats = situation.stats();
        if (stats == null || stats.relays() > 0) {
            return Optional.empty();
        }
        return Optional.of(Mood.BAD.of(
                "no-relay",
                "No relay is alive%s. %s.".formatted(since(situation.noRelaySince(), situation), waiting(stats)),
                situation.noRelaySince(),
                null));
    }

    private static Optional<SourceVerdict> topicUnreachable(Situation situation) {
        Optional<ClosedTopic> first = situation.closed().stream().min(Comparator.comparing(ClosedTopic::since));
        OutboxStats stats = situation.stats();
        if (first.isEmpty() || stats == null) {
            return Optional.empty();
        }
        long topics =
                situation.closed().stream().map(ClosedTopic::topic).distinct().count();
        String name = first.get().topic().toString();
        String since = since(first.get().since(), situation);
        String what = topics == 1
                ? "Topic %s is unreachable%s".formatted(name, since)
                : "%d topics are unreachable, %s%s".formatted(topics, name, since);
        return Optional.of(Mood.BAD.of(
                "topic-unreachable",
                "%s. %s, nothing is lost.".formatted(what, waiting(stats)),
                first.get().since(),
                name));
    }

    private static Optional<SourceVerdict> allPaused(Situation situation) {
        List<KnownRelay> living =
                situation.relays().stream().filter(KnownRelay::alive).toList();
        if (living.isEmpty() || living.stream().anyMatch(relay -> relay.mode() == RelayMode.RUN)) {
            return Optional.empty();
        }
        Decided decided = living.get(0).decided();
        String what = living.stream().allMatch(relay -> relay.mode() == RelayMode.DRAIN) ? "Drained" : "Paused";
        return Optional.of(Mood.PAUSED.of(
                "paused",
                "%s%s.".formatted(what, by(decided, situation)),
                decided == null ? null : decided.at(),
                null));
    }

    private static Optional<SourceVerdict> topicPaused(Situation situation) {
        if (situation.paused().isEmpty()) {
            return Optional.empty();
        }
        PausedTopic first = situation.paused().get(0);
        String name = first.topic().toString();
        int others = situation.paused().size() - 1;
        return Optional.of(Mood.PAUSED.of(
                "paused",
                "Topic %s is paused%s%s."
                        .formatted(
                                name,
                                by(first.decided(), situation),
                                others == 0 ? "" : ", and %d more".formatted(others)),
                first.decided().at(),
                name));
    }

    private static Optional<SourceVerdict> late(Situation situation) {
        OutboxStats stats = situation.stats();
        if (stats == null || stats.oldestPending().compareTo(LATE) < 0) {
            return Optional.empty();
        }
        String oldest = Wording.duration(stats.oldestPending());
        Double falling = situation.falling();
        String sentence;
        if (falling == null) {
            sentence = "Catching up. Oldest pending %s.".formatted(oldest);
        } else if (falling <= 0) {
            sentence = "Falling behind. Oldest pending %s and not getting younger.".formatted(oldest);
        } else {
            Duration left = Duration.ofMillis((long) (stats.oldestPending().toMillis() / falling * MILLIS));
            sentence = left.compareTo(LONGEST_FORECAST) > 0
                    ? "Catching up slowly. Oldest pending %s.".formatted(oldest)
                    : "Catching up. Oldest pending %s, done in about %s.".formatted(oldest, Wording.duration(left));
        }
        return Optional.of(Mood.WARN.of("catching-up", sentence, null, null));
    }

    private static Optional<SourceVerdict> keysBlocked(Situation situation) {
        OutboxStats stats = situation.stats();
        if (stats == null || stats.blockedKeys() == 0) {
            return Optional.empty();
        }
        return Optional.of(Mood.WARN.of(
                "keys-blocked",
                stats.blockedKeys() == 1
                        ? "1 key waits behind a message that does not succeed."
                        : "%s keys wait behind messages that do not succeed."
                                .formatted(Wording.count(new CappedCount(stats.blockedKeys(), false))),
                null,
                null));
    }

    private static Optional<SourceVerdict> dead(Situation situation) {
        OutboxStats stats = situation.stats();
        if (stats == null || stats.dead() == 0) {
            return Optional.empty();
        }
        return Optional.of(Mood.WARN.of(
                "dead",
                stats.dead() == 1
                        ? "1 dead message waits for a person."
                        : "%s dead messages wait for a person."
                                .formatted(Wording.count(CappedCount.of(stats.dead(), stats.cap()))),
                null,
                null));
    }

    private static String waiting(OutboxStats stats) {
        return stats.pending() == 1
                ? "1 message waits"
                : "%s messages wait".formatted(Wording.count(CappedCount.of(stats.pending(), stats.cap())));
    }

    private static String since(@Nullable Instant time, Situation situation) {
        return time == null ? "" : " since " + Wording.time(time, situation.now());
    }

    private static String by(@Nullable Decided decided, Situation situation) {
        return decided == null
                ? ""
                : " by %s since %s".formatted(decided.decision().by(), Wording.time(decided.at(), situation.now()));
    }
}
