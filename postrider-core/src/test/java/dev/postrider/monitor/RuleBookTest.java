package dev.postrider.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxStats;
import dev.postrider.alert.Alert;
import dev.postrider.alert.Alert.Severity;
import dev.postrider.alert.Alert.State;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every built-in rule in virtual time. */
@Tag("R4.8")
class RuleBookTest {

    private static final Duration CHECK = Duration.ofSeconds(15);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final OutboxStats CALM = stats(0, 0, 0, 0, 1);

    private final List<Alert> alerts = new ArrayList<>();
    private long nanos = -HOUR.toNanos();
    private RuleBook rules = new RuleBook(builder());

    /** What makes a condition true. */
    private Runnable trouble(AlertCondition condition) {
        Supplier<OutboxStats> read = switch (condition) {
            case PENDING -> () -> stats(1_001, 0, 0, 0, 1);
            case DEAD -> () -> stats(0, 1, 0, 0, 1);
            case OLDEST_AGE -> () -> stats(1, 0, 301, 0, 1);
            case BLOCKED_KEY -> () -> stats(0, 0, 0, 1, 1);
            case NO_RELAY -> () -> stats(0, 0, 0, 0, 0);
            default -> () -> CALM;
        };
        return switch (condition) {
            case FAILED ->
                () -> {
                    rules.settled(Collections.nCopies(11, Settlement.retry(claimed(), MINUTE, "broken", false)));
                    read(CALM);
                };
            case INTEGRITY ->
                () -> {
                    alerts.addAll(rules.integrityFailed(claimed()));
                    read(CALM);
                };
            case STALLED ->
                () -> {
                    alerts.addAll(rules.claimsRecovered(3));
                    read(CALM);
                };
            case TOPIC_CLOSED ->
                () -> alerts.addAll(rules.read(new Readings(CALM, List.of(new TopicName("default", "orders")))));
            case STORE_UNREACHABLE -> () -> alerts.addAll(rules.read(new Readings(null, List.of())));
            default -> () -> read(read.get());
        };
    }

    @ParameterizedTest
    @EnumSource
    void aConditionFiresOnceAndIsOverOnce(AlertCondition condition) {
        during(condition.rule().after().plus(CHECK), trouble(condition));
        during(HOUR, () -> read(CALM));

        assertThat(alerts).extracting(Alert::state).containsExactly(State.FIRING, State.RESOLVED);
        assertThat(alerts).extracting(Alert::name).containsOnly(condition.alertName());
        assertThat(alerts)
                .extracting(Alert::severity)
                .containsOnly(condition.rule().severity());
    }

    @ParameterizedTest
    @EnumSource
    void aConditionThatStaysIsRepeatedEveryFifteenMinutes(AlertCondition condition) {
        during(condition.rule().after().plus(MINUTE).plus(HOUR), trouble(condition));

        assertThat(alerts).extracting(Alert::state).containsOnly(State.FIRING);
        assertThat(alerts).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void aConditionThatComesAndGoesIsNoStorm(AlertCondition condition) {
        Runnable trouble = trouble(condition);
        Duration on = condition.rule().after().plus(CHECK);
        Duration off = condition.rule().calmFor().plus(CHECK);
        long end = nanos + HOUR.multipliedBy(2).toNanos();

        while (nanos < end) {
            during(on, trouble);
            during(off, () -> read(CALM));
        }

        List<Instant> fired = alerts.stream()
                .filter(alert -> alert.state() == State.FIRING)
                .map(Alert::at)
                .toList();
        assertThat(fired).hasSizeBetween(2, 9);
        for (int i = 1; i < fired.size(); i++) {
            assertThat(Duration.between(fired.get(i - 1), fired.get(i))).isGreaterThanOrEqualTo(AlertRule.REPEAT);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "BLOCKED_KEY", "NO_RELAY", "TOPIC_CLOSED", "STORE_UNREACHABLE"})
    void aMomentIsNoAlert(AlertCondition condition) {
        Runnable trouble = trouble(condition);

        for (int i = 0; i < 50; i++) {
            during(condition.rule().after().minus(CHECK), trouble);
            during(CHECK, () -> read(CALM));
        }

        assertThat(alerts).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void calmSaysNothing(AlertCondition condition) {
        during(HOUR, () -> read(CALM));

        assertThat(condition.rule().fires()).isNotNegative();
        assertThat(alerts).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aConditionThatIsLeftOutSaysNothing(AlertCondition condition) {
        rules = new RuleBook(builder().without(condition));

        during(HOUR, trouble(condition));

        assertThat(alerts).isEmpty();
    }

    @Test
    void theLimitsAreThoseOfTheRequirement() {
        during(Duration.ofMinutes(10), () -> read(stats(1_000, 0, 300, 0, 1)));
        rules.settled(Collections.nCopies(10, Settlement.retry(claimed(), MINUTE, "broken", false)));
        read(CALM);

        assertThat(alerts).isEmpty();
    }

    @Test
    void limitsMayBeOthers() {
        rules = new RuleBook(
                builder().rule(AlertCondition.PENDING.rule().above(5_000, 4_000).severity(Severity.CRITICAL)));

        during(HOUR, () -> read(stats(5_000, 0, 0, 0, 1)));
        assertThat(alerts).isEmpty();
        during(Duration.ofMinutes(2), () -> read(stats(5_001, 0, 0, 0, 1)));

        assertThat(alerts).singleElement().extracting(Alert::severity).isEqualTo(Severity.CRITICAL);
    }

    @Test
    void anIntegrityFailureIsToldAtOnceWithWhatIsKnown() {
        ClaimedMessage defective = claimed();

        List<Alert> told = rules.integrityFailed(defective);

        assertThat(told).singleElement().satisfies(alert -> {
            assertThat(alert.name()).isEqualTo("integrity");
            assertThat(alert.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(alert.details().get("lately"))
                    .isEqualTo("message %s: changed", defective.message().id());
            assertThat(alert.toString()).doesNotContain("secret");
        });
        assertThat(rules.integrityFailed(claimed())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "STALLED"})
    void whatHappenedOnceIsToldOnce(AlertCondition condition) {
        trouble(condition).run();

        during(Duration.ofMinutes(14), () -> read(CALM));
        assertThat(alerts).extracting(Alert::state).containsExactly(State.FIRING);
        during(HOUR, () -> read(CALM));

        assertThat(alerts).extracting(Alert::state).containsExactly(State.FIRING, State.RESOLVED);
    }

    @Test
    void aFailureDuringTheSilenceIsToldAfterIt() {
        alerts.addAll(rules.integrityFailed(claimed()));
        during(Duration.ofMinutes(10), () -> read(CALM));
        assertThat(rules.integrityFailed(claimed())).isEmpty();

        during(Duration.ofMinutes(6), () -> read(CALM));

        assertThat(alerts).extracting(Alert::state).containsExactly(State.FIRING, State.FIRING);
    }

    @Test
    void anAlertTellsTheNumbersAndWhatDied() {
        rules.settled(List.of(Settlement.dead(claimed(), "never", false)));

        read(stats(10_000, 2, 20, 3, 1));

        assertThat(alerts).singleElement().satisfies(alert -> {
            assertThat(alert.summary()).isEqualTo("2 messages are dead and wait for a person");
            assertThat(alert.details())
                    .containsEntry("outbox", "orders")
                    .containsEntry("pending", "at least 10000")
                    .containsEntry("dead", "2")
                    .containsEntry("oldest pending", "20 s")
                    .containsEntry("blocked keys", "3")
                    .containsEntry("relays alive", "1")
                    .containsEntry("lately", "OrderPlaced 1")
                    .containsEntry("runbook", "docs/runbooks/dead.md");
        });
    }

    @Test
    void whatCannotBeSeenNeitherFiresNorResolves() {
        during(MINUTE, () -> read(stats(0, 1, 0, 0, 1)));

        during(Duration.ofSeconds(45), () -> alerts.addAll(rules.read(new Readings(null, null))));

        assertThat(alerts).extracting(Alert::name).containsExactly("dead");
    }

    private void during(Duration time, Runnable check) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(CHECK)) {
            check.run();
            nanos += CHECK.toNanos();
        }
    }

    private void read(OutboxStats stats) {
        alerts.addAll(rules.read(new Readings(stats, List.of())));
    }

    private AlertMonitorBuilder builder() {
        return AlertMonitor.builder(() -> CALM)
                .outbox("orders")
                .time(() -> nanos, () -> Instant.EPOCH.plusNanos(nanos));
    }

    private static OutboxStats stats(long pending, long dead, long oldestSeconds, int blocked, int relays) {
        return new OutboxStats(pending, 0, dead, Duration.ofSeconds(oldestSeconds), 10_000, blocked, relays, 0);
    }

    private static ClaimedMessage claimed() {
        OutboxMessage message =
                OutboxMessage.to("orders", "OrderPlaced").payload("secret").build();
        return new ClaimedMessage(1, 1, "relay", 0, 1, false, 0, false, "changed", message);
    }
}
