package dev.postrider.jackson;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Payloads as an application has them. */
final class Orders {

    static final String PLACED = "order.placed";

    private Orders() {}

    record Placed(
            UUID orderId,
            Instant placedAt,
            BigDecimal total,
            Payment payment,
            List<Line> lines,
            Set<String> labels,
            Map<String, Integer> points,
            Optional<String> note) {}

    record Line(String article, int count, double weight) {}

    sealed interface Payment permits Card, Cash {}

    record Card(String number) implements Payment {}

    @JsonTypeName("cash")
    record Cash(BigDecimal given) implements Payment {}

    record Times(
            LocalDate date,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration duration,
            float ratio,
            @Nullable Long nothing) {}

    enum Colour {
        RED,
        BLUE;

        @Override
        public String toString() {
            return "the colour " + name();
        }
    }

    record Painted(Set<Colour> colours, Set<Line> lines, Set<Set<Integer>> groups) {}

    static Placed placed() {
        return placed(new HashSet<>(List.of("gift", "fragile", "abroad")));
    }

    static Placed placed(Set<String> labels) {
        Map<String, Integer> points = new HashMap<>();
        points.put("summer", 5);
        points.put("autumn", 7);
        return new Placed(
                UUID.fromString("0198c0de-0000-7000-8000-000000000001"),
                Instant.parse("2026-02-03T04:05:06.000000007Z"),
                new BigDecimal("12.50"),
                new Card("4711"),
                List.of(new Line("pen", 2, 0.002)),
                labels,
                points,
                Optional.of("ring twice"));
    }
}
