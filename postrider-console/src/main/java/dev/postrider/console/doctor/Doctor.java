package dev.postrider.console.doctor;

import dev.postrider.console.ConsoleSource;
import dev.postrider.spi.ErrorText;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Examines what the promises of a source rest on. It reads only, each statement ends within seconds, and one check that
 * cannot be done does not keep the others from being done.
 */
public final class Doctor {

    private static final Logger log = LoggerFactory.getLogger(Doctor.class);
    private static final List<FindingLevel> WORST_FIRST =
            List.of(FindingLevel.BAD, FindingLevel.WARN, FindingLevel.SKIPPED, FindingLevel.NOTE, FindingLevel.OK);

    private static final List<DatabaseCheck> DATABASE_CHECKS = List.of(
            new GrantsCheck(),
            new IsolationCheck(),
            new ClockCheck(),
            new IndexCheck(),
            new PlanCheck(),
            new PostgresDurabilityCheck(),
            new InnoDbDurabilityCheck(),
            new LongTransactionCheck(),
            new DeadTupleCheck(),
            new ConnectionsCheck(),
            new TrialDatabaseCheck());

    private final ConsoleSource source;

    /** Examines this source. */
    public Doctor(ConsoleSource source) {
        this.source = Objects.requireNonNull(source, "source");
    }

    /** Returns what was found, the worst first. */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        try (DoctorSession session =
                DoctorSession.open(source.dataSource(), source.postrider().outboxTables())) {
            findings.add(Finding.ok(
                    "database",
                    "%s %s"
                            .formatted(
                                    session.connection().getMetaData().getDatabaseProductName(),
                                    session.connection().getMetaData().getDatabaseProductVersion()),
                    "The console reaches the database."));
            for (DatabaseCheck check : DATABASE_CHECKS) {
                if (check.dialects().contains(session.dialect())) {
                    findings.addAll(look(check, session));
                }
            }
        } catch (SQLException e) {
            log.debug("The doctor cannot reach the database", e);
            findings.add(Finding.bad(
                    "database",
                    "The database does not answer, or its pool is used up",
                    "Nothing is delivered and nothing can be enqueued while that lasts.",
                    "Check the database, the network, and user and password."));
            return findings;
        }
        others().forEach(check -> findings.addAll(run(check)));
        findings.sort(Comparator.comparingInt(finding -> WORST_FIRST.indexOf(finding.level())));
        return findings;
    }

    private List<DoctorCheck> others() {
        List<DoctorCheck> checks = new ArrayList<>(List.of(
                new SchemaVersionsCheck(source.postrider()),
                new RelaysCheck(source.postrider()),
                new SettingsCheck(source::settings)));
        checks.addAll(source.checks());
        return checks;
    }

    private static List<Finding> look(DatabaseCheck check, DoctorSession session) {
        try {
            return check.look(session);
        } catch (SQLException e) {
            log.debug("The check of {} failed", check.name(), e);
            return List.of(Finding.skipped(
                    check.name(), "The database refused the question with state %s".formatted(e.getSQLState())));
        }
    }

    private static List<Finding> run(DoctorCheck check) {
        try {
            return check.run();
        } catch (RuntimeException e) {
            log.debug("The check {} failed", check.name(), e);
            return List.of(Finding.skipped(check.name(), "The check ended with " + ErrorText.type(e)));
        }
    }
}
