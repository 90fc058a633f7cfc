package dev.postrider.micrometer;

import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaSummary;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Sagas that should go on and that no engine takes up.
 *
 * @param count how many
 * @param oldest how long nothing has happened to the one that has waited longest
 */
record OverdueSagas(int count, Duration oldest) {

    static OverdueSagas of(SagaAdmin admin, Duration grace, int most, Clock clock) {
        List<SagaSummary> sagas = admin.neglected(grace, most);
        Duration oldest = sagas.stream()
                .map(SagaSummary::updatedAt)
                .min(Comparator.naturalOrder())
                .map(since -> Duration.between(since, clock.instant()))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
        return new OverdueSagas(sagas.size(), oldest);
    }
}
