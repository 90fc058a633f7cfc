package dev.postrider.verification.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.BulkStatus;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ./verification/volume does to a million rows, with a few, and without a clock. */
final class VolumeTest {

    private static final int ROWS = 20_000;
    private static final int DEAD = 2_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R3.5")
    void aBulkRequeueBesideARelayTouchesWhatWasSelectedAndNothingElse(Kind kind) throws Exception {
        BulkVolume.Report report = BulkVolume.run(server(kind), ROWS, DEAD, progress -> {});

        assertThat(report.end().status()).isEqualTo(BulkStatus.DONE);
        assertThat(report.end().expected()).isEqualTo(DEAD);
        assertThat(report.end().done()).isEqualTo(DEAD);
        assertThat(report.redelivered()).isEqualTo(DEAD);
        assertThat(report.lateUntouched()).isEqualTo(BulkVolume.LATE);
        assertThat(report.deadlocks()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("R3.6")
    void aPurgeBesideTwoRelaysRemovesOldDeliveredRowsAndNothingElse(Kind kind) throws Exception {
        PurgeVolume.Report report = PurgeVolume.run(server(kind), ROWS, Duration.ZERO, progress -> {});

        assertThat(report.removed()).isEqualTo(ROWS);
        assertThat(report.left()).isZero();
        assertThat(report.lost()).isZero();
        assertThat(report.stayed()).isEqualTo(2 * PurgeVolume.STAYING);
        assertThat(report.deadlocks()).isZero();
    }

    private static Database server(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        return Database.shared(kind);
    }
}
