package dev.postrider.verification.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What ./verification/limits measures, without a clock: a fresh message arrives, and no key is reordered. */
@Tag("B1")
@Tag("B2")
final class LimitsTest {

    static Stream<Arguments> situations() {
        return Arrays.stream(Situation.values())
                .flatMap(situation -> List.of(Kind.POSTGRES_18, Kind.MARIADB, Kind.MYSQL).stream()
                        .map(kind -> Arguments.of(situation, kind)));
    }

    @ParameterizedTest
    @MethodSource("situations")
    void aFreshMessageOfAnUnrelatedKeyArrivesAndNoKeyIsReordered(Situation situation, Kind kind) throws Exception {
        Limits.Result result = Limits.measure(server(kind), situation, situation.tested());

        assertThat(result.stuck()).isFalse();
        assertThat(result.reordered()).isFalse();
    }

    private static Database server(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        return Database.shared(kind);
    }
}
