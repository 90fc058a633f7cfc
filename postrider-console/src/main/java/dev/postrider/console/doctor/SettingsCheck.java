package dev.postrider.console.doctor;

import dev.postrider.console.SourceSetting;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether the settings of relay and pool fit each other. */
final class SettingsCheck implements DoctorCheck {

    private static final String CHECK = "settings";
    private static final int LEAST_POOL = 4;
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})\\s*(ns|us|ms|s|m|h|d)?");

    private final Supplier<List<SourceSetting>> settings;

    SettingsCheck(Supplier<List<SourceSetting>> settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return CHECK;
    }

    @Override
    public List<Finding> run() {
        Map<String, String> values = settings.get().stream()
                .filter(setting -> !setting.secret())
                .collect(Collectors.toMap(SourceSetting::name, SourceSetting::value, (first, second) -> first));
        return findings(values);
    }

    static List<Finding> findings(Map<String, String> values) {
        if (values.isEmpty()) {
            return List.of(Finding.skipped(CHECK, "This process does not know the settings of the source"));
        }
        List<Finding> findings = new ArrayList<>();
        number(values, "postrider.relay.pool-size")
                .filter(size -> size > 0 && size < LEAST_POOL)
                .ifPresent(size -> findings.add(Finding.warn(
                        CHECK,
                        "The relay's pool has %d connections".formatted(size),
                        "A relay that waits for a connection loses its shards, and delivery pauses.",
                        "Set postrider.relay.pool-size to %d or more.".formatted(LEAST_POOL))));
        Optional<Duration> publish = duration(values, "postrider.relay.publish-timeout");
        Optional<Duration> claim = duration(values, "postrider.relay.claim-for");
        if (publish.isPresent() && claim.isPresent() && publish.get().compareTo(claim.get()) > 0) {
            findings.add(Finding.bad(
                    CHECK,
                    "publish-timeout is longer than claim-for",
                    "A relay refuses to start with these settings.",
                    "Set postrider.relay.claim-for above postrider.relay.publish-timeout."));
        }
        Optional<Duration> own = duration(values, "postrider.relay.own-for");
        if (own.isPresent() && own.get().compareTo(Duration.ofSeconds(1)) < 0) {
            findings.add(Finding.warn(
                    CHECK,
                    "own-for is %d ms".formatted(own.get().toMillis()),
                    "A short pause of the process or the database makes the relay lose its shards.",
                    "Set postrider.relay.own-for to 2s or more."));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(CHECK, "The settings of relay and pool fit each other", "Nothing contradicts."));
        }
        return findings;
    }

    private static Optional<Integer> number(Map<String, String> values, String name) {
        return value(values, name).filter(text -> text.matches("\\d{1,9}")).map(Integer::valueOf);
    }

    static Optional<Duration> duration(Map<String, String> values, String name) {
        return value(values, name).flatMap(SettingsCheck::duration);
    }

    // As Spring reads durations: 20s, or PT20S.
    private static Optional<Duration> duration(String text) {
        Matcher amount = AMOUNT.matcher(text.toLowerCase(Locale.ROOT));
        if (amount.matches()) {
            long value = Long.parseLong(amount.group(1));
            Function<Long, Duration> unit = switch (amount.group(2) == null ? "ms" : amount.group(2)) {
                case "ns" -> Duration::ofNanos;
                case "us" -> micros -> Duration.ofNanos(micros * 1_000);
                case "s" -> Duration::ofSeconds;
                case "m" -> Duration::ofMinutes;
                case "h" -> Duration::ofHours;
                case "d" -> Duration::ofDays;
                default -> Duration::ofMillis;
            };
            return Optional.of(unit.apply(value));
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> value(Map<String, String> values, String name) {
        return Optional.ofNullable(values.get(name));
    }
}
