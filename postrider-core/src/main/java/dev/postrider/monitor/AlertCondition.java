package dev.postrider.monitor;

import dev.postrider.alert.Alert.Severity;
import java.time.Duration;
import java.util.Locale;

/** What an {@link AlertMonitor} watches. Every condition has a number, and a rule that says when it is too high. */
public enum AlertCondition {
    /** Messages that can be delivered at once or are in flight. */
    PENDING("messages are pending"),
    /** Attempts of this process that did not succeed within the last minute. */
    FAILED("attempts failed within a minute"),
    /** Messages that wait for a person. */
    DEAD("messages are dead and wait for a person"),
    /** Rows this process refused to publish because they were not what was enqueued. */
    INTEGRITY("rows are not what was enqueued and were not published"),
    /** Messages that were in flight when their relay died, counted by the relay that took over. */
    STALLED("messages were in flight when their relay died and are delivered again"),
    /** The age in seconds of the oldest message that can be delivered. */
    OLDEST_AGE("seconds is the age of the oldest message that can be delivered"),
    /** Keys that cannot go on until their first message is delivered or discarded. */
    BLOCKED_KEY("keys are blocked"),
    /** 1 if no relay is alive, otherwise 0. */
    NO_RELAY("No relay is alive: nothing is delivered"),
    /** Topics the watched relay cannot reach. */
    TOPIC_CLOSED("topics cannot be reached"),
    /** 1 if the outbox could not be counted, otherwise 0. */
    STORE_UNREACHABLE("The outbox cannot be read, so its state is unknown");

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final String text;

    AlertCondition(String text) {
        this.text = text;
    }

    /** The name of its alerts and of its page in the runbooks, for example {@code blocked-key}. */
    public String alertName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the rule that holds unless another is given. */
    public AlertRule rule() {
        return switch (this) {
            case PENDING -> warning(1_000, 800).after(MINUTE).calmFor(MINUTE);
            case FAILED -> warning(10, 5).calmFor(Duration.ofMinutes(2));
            case DEAD -> warning(0, 0).calmFor(MINUTE);
            case INTEGRITY -> critical();
            case STALLED -> warning(0, 0);
            case OLDEST_AGE -> critical().above(300, 240).calmFor(MINUTE);
            case BLOCKED_KEY -> warning(0, 0).after(Duration.ofMinutes(5)).calmFor(MINUTE);
            case NO_RELAY -> critical().after(MINUTE).calmFor(MINUTE);
            case TOPIC_CLOSED -> warning(0, 0).after(Duration.ofMinutes(5)).calmFor(MINUTE);
            case STORE_UNREACHABLE -> critical().after(MINUTE).calmFor(MINUTE);
        };
    }

    String summary(long value) {
        return switch (this) {
            case NO_RELAY, STORE_UNREACHABLE -> text;
            default -> value + " " + text;
        };
    }

    private AlertRule warning(double fires, double resolves) {
        return new AlertRule(this, Severity.WARNING, fires, resolves, Duration.ZERO, Duration.ZERO, AlertRule.REPEAT);
    }

    private AlertRule critical() {
        return new AlertRule(this, Severity.CRITICAL, 0, 0, Duration.ZERO, Duration.ZERO, AlertRule.REPEAT);
    }
}
