package dev.postrider.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.Decided;
import dev.postrider.admin.Decision;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.PausedTopic;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class VerdictTableTest {

    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");
    private static final Instant EARLIER = Instant.parse("2026-11-19T10:31:00Z");
    private static final Decided BY_ADA = new Decided(new Decision("ada", "release"), EARLIER);
    private static final ClosedTopic CLOSED =
            new ClosedTopic(new TopicName("shop", "orders"), "relay-1", EARLIER, "refused");

    @Test
    void healthySourceDelivers() {
        assertVerdict(
                situation(stats(0, 0, Duration.ZERO, 0, 1)),
                "ok",
                "delivering",
                "Delivering normally. Nothing is pending.");
        assertVerdict(
                situation(stats(12, 0, Duration.ofMillis(400), 0, 1)),
                "ok",
                "delivering",
                "Delivering normally. Oldest pending 0.4 s.");
    }

    @Test
    void lateSourceCatchesUpOrFallsBehind() {
        OutboxStats late = stats(500, 0, Duration.ofSeconds(192), 0, 1);

        assertVerdict(falling(late, null), "warn", "catching-up", "Catching up. Oldest pending 3 m 12 s.");
        assertVerdict(
                falling(late, 1_920.0),
                "warn",
                "catching-up",
                "Catching up. Oldest pending 3 m 12 s, done in about 1 m 40 s.");
        assertVerdict(falling(late, 0.1), "warn", "catching-up", "Catching up slowly. Oldest pending 3 m 12 s.");
        assertVerdict(
                falling(late, -1_000.0),
                "warn",
                "catching-up",
                "Falling behind. Oldest pending 3 m 12 s and not getting younger.");
    }

    @Test
    void deadMessagesAndBlockedKeysWaitForAPerson() {
        assertVerdict(
                situation(stats(0, 1, Duration.ZERO, 0, 1)), "warn", "dead", "1 dead message waits for a person.");
        assertVerdict(
                situation(stats(0, 10_000, Duration.ZERO, 0, 1)),
                "warn",
                "dead",
                "10,000 or more dead messages wait for a person.");
        assertVerdict(
                situation(stats(0, 3, Duration.ZERO, 1, 1)),
                "warn",
                "keys-blocked",
                "1 key waits behind a message that does not succeed.");
        assertVerdict(
                situation(stats(0, 3, Duration.ZERO, 42, 1)),
                "warn",
                "keys-blocked",
                "42 keys wait behind messages that do not succeed.");
    }

    @Test
    void pausedRelaysAndTopicsNameThePerson() {
        assertVerdict(
                relays(relay(RelayMode.PAUSE), relay(RelayMode.DRAIN)),
                "paused",
                "paused",
                "Paused by ada since 10:31 UTC.");
        assertVerdict(relays(relay(RelayMode.DRAIN)), "paused", "paused", "Drained by ada since 10:31 UTC.");
        assertVerdict(
                relays(relay(RelayMode.PAUSE), relay(RelayMode.RUN)),
                "ok",
                "delivering",
                "Delivering normally. Nothing is pending.");
        SourceVerdict topic = VerdictTable.of(new Situation(
                NOW,
                null,
                null,
                stats(0, 0, Duration.ZERO, 0, 1),
                List.of(),
                null,
                List.of(),
                List.of(
                        new PausedTopic(new TopicName("shop", "orders"), BY_ADA),
                        new PausedTopic(new TopicName("shop", "parcels"), BY_ADA)),
                null));
        assertThat(topic.sentence()).isEqualTo("Topic shop/orders is paused by ada since 10:31 UTC, and 1 more.");
        assertThat(topic.topic()).isEqualTo("shop/orders");
    }

    @Test
    void unreachableTopicIsWorseThanWhatWaitsBehindIt() {
        Situation situation = new Situation(
                NOW,
                null,
                null,
                stats(1_204, 7, Duration.ofMinutes(9), 3, 1),
                List.of(),
                null,
                List.of(CLOSED),
                List.of(),
                null);

        assertVerdict(
                situation,
                "bad",
                "topic-unreachable",
                "Topic shop/orders is unreachable since 10:31 UTC. 1,204 messages wait, nothing is lost.");
        assertThat(VerdictTable.of(situation).since()).isEqualTo(EARLIER);
    }

    @Test
    void sourceWithoutARelayIsWorseThanATopic() {
        Situation situation = new Situation(
                NOW,
                null,
                null,
                stats(1, 0, Duration.ofMinutes(9), 0, 0),
                List.of(),
                Instant.parse("2026-11-18T10:31:00Z"),
                List.of(CLOSED),
                List.of(),
                null);

        assertVerdict(situation, "bad", "no-relay", "No relay is alive since 2026-11-18 10:31 UTC. 1 message waits.");
    }

    @Test
    void unreachableDatabaseIsTheWorst() {
        Situation known = situation(stats(0, 5, Duration.ZERO, 0, 0));

        assertVerdict(
                known.troubled(Situation.Trouble.UNREACHABLE, EARLIER, NOW),
                "bad",
                "database-unreachable",
                "The database is unreachable since 10:31 UTC.");
        assertVerdict(
                known.troubled(Situation.Trouble.SCHEMA, EARLIER, NOW),
                "bad",
                "schema-missing",
                "Tables are missing or do not fit this version.");
    }

    @Test
    void durationsAreShort() {
        assertThat(Wording.duration(Duration.ofMillis(412))).isEqualTo("0.4 s");
        assertThat(Wording.duration(Duration.ofSeconds(42))).isEqualTo("42 s");
        assertThat(Wording.duration(Duration.ofMinutes(125))).isEqualTo("2 h 5 m");
        assertThat(Wording.duration(Duration.ofHours(76))).isEqualTo("3 d 4 h");
    }

    private static void assertVerdict(Situation situation, String state, String code, String sentence) {
        SourceVerdict verdict = VerdictTable.of(situation);
        assertThat(verdict.sentence()).isEqualTo(sentence);
        assertThat(verdict.state()).isEqualTo(state);
        assertThat(verdict.code()).isEqualTo(code);
    }

    private static OutboxStats stats(long pending, long dead, Duration oldest, int blocked, int relays) {
        return new OutboxStats(pending, 0, dead, oldest, 10_000, blocked, relays, 0);
    }

    private static Situation situation(OutboxStats stats) {
        return falling(stats, null);
    }

    private static Situation falling(OutboxStats stats, @Nullable Double falling) {
        return new Situation(NOW, null, null, stats, List.of(), null, List.of(), List.of(), falling);
    }

    private static Situation relays(KnownRelay... relays) {
        OutboxStats stats = stats(0, 0, Duration.ZERO, 0, relays.length);
        return new Situation(NOW, null, null, stats, List.of(relays), null, List.of(), List.of(), null);
    }

    private static KnownRelay relay(RelayMode mode) {
        return new KnownRelay(
                "relay-1", EARLIER, NOW, true, List.of(), null, mode, mode == RelayMode.RUN ? null : BY_ADA);
    }
}
