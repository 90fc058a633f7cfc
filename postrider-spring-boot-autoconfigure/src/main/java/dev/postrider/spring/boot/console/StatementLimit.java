package dev.postrider.spring.boot.console;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The statement that lets a database end the statements of a session after a while. */
final class StatementLimit {

    private StatementLimit() {}

    /** Returns the statement for the database of a JDBC URL, or null if it is not known. */
    static @Nullable String sql(String jdbcUrl, Duration longest) {
        long millis = Math.max(1, longest.toMillis());
        if (jdbcUrl.startsWith("jdbc:postgresql:")) {
            return "set statement_timeout = " + millis;
        }
        if (jdbcUrl.startsWith("jdbc:mysql:")) {
            return "set session max_execution_time = " + millis;
        }
        if (jdbcUrl.startsWith("jdbc:mariadb:")) {
            // MariaDB's driver connects to MySQL too, which takes what follows the first setting for a comment.
            return "set @postrider_console = 1 /*M!100101 , session max_statement_time = %.3f */"
                    .formatted(millis / 1e3);
        }
        return jdbcUrl.startsWith("jdbc:h2:") ? "set query_timeout " + millis : null;
    }
}
