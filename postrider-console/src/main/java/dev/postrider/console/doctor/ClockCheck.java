package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** How far the clock of this process is from the database's. */
final class ClockCheck implements DatabaseCheck {

    private static final Duration VISIBLE = Duration.ofSeconds(2);
    private static final Duration WRONG = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        String now = session.dialect() == Dialect.POSTGRESQL
                ? "select clock_timestamp() as at"
                : session.dialect().in("select {now} as at");
        Instant before = Instant.now();
        Instant there;
        try (PreparedStatement statement = session.connection().prepareStatement(now);
                ResultSet row = statement.executeQuery()) {
            row.next();
            there = Objects.requireNonNull(session.dialect().time(row, "at"));
        }
        Duration trip = Duration.between(before, Instant.now());
        Instant here = before.plus(trip.dividedBy(2));
        Duration skew = Duration.between(here, there).abs();
        return List.of(finding(name(), skew, trip));
    }

    static Finding finding(String name, Duration skew, Duration trip) {
        String found = "This process and the database differ by %d ms, measured to %d ms"
                .formatted(skew.toMillis(), trip.toMillis());
        if (skew.minus(trip).compareTo(VISIBLE) < 0) {
            return Finding.ok(name, found, "Ages and delays are shown as they are.");
        }
        String means = "Due times and take-overs go by the database's clock, so delivery is right. Ages, delays and"
                + " filters by age that this process makes are off by that much.";
        String action = "Let both machines keep their clocks by NTP.";
        return skew.compareTo(WRONG) < 0 ? Finding.note(name, found, means) : Finding.warn(name, found, means, action);
    }
}
