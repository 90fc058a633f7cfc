package dev.postrider.spring.boot;

import java.sql.SQLException;
import java.util.Optional;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What a database means that lets the application not in. */
final class DatabaseRefusal {

    private static final String NOT_AUTHORIZED = "28";
    private static final String NOT_CONNECTED = "08";

    private DatabaseRefusal() {}

    /** Explains the failure if the application could not connect. */
    static Optional<FailureAnalysis> of(Throwable failure) {
        Optional<FailureAnalysis> refused = sqlError(failure, NOT_AUTHORIZED)
                .map(error -> new FailureAnalysis(
                        "The database of the outbox refused the user or the password: " + error.getMessage(),
                        "Correct spring.datasource.username and spring.datasource.password",
                        failure));
        return refused.or(() -> sqlError(failure, NOT_CONNECTED)
                .map(error -> new FailureAnalysis(
                        "The database of the outbox cannot be reached: " + error.getMessage(),
                        "Start the database, or correct spring.datasource.url",
                        failure)));
    }

    private static Optional<SQLException> sqlError(Throwable failure, String stateClass) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException error
                    && error.getSQLState() != null
                    && error.getSQLState().startsWith(stateClass)) {
                return Optional.of(error);
            }
        }
        return Optional.empty();
    }
}
