package dev.postrider.console.route;

import dev.postrider.OutboxException;
import dev.postrider.admin.MessageStateException;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.filter.BrokenFilterException;
import dev.postrider.database.SchemaVersionException;
import dev.postrider.database.SqlErrors;
import dev.postrider.saga.SagaStateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns errors into problem details that say what to do. What a driver says about itself stays in the log. */
public final class Problems {

    // PostgreSQL: cancelled by the time limit. MariaDB, MySQL and H2 by code.
    private static final String CANCELLED_STATE = "57014";
    private static final Set<Integer> CANCELLED_CODES = Set.of(1969, 3024, 1317, 57014);
    private static final int MOST_CAUSES = 20;

    private record FilterPlace(int position, int length) {}

    private Problems() {}

    /** Returns the answer. */
    public static ConsoleResponse response(RouteProblem problem) {
        return response(problem, problem.code().status());
    }

    static ConsoleResponse response(RouteProblem problem, int status) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "about:blank");
        members.put("title", problem.code().title());
        members.put("status", status);
        members.put("detail", problem.detail());
        members.put("code", problem.code().word());
        members.put("do", problem.action());
        if (problem.details() != null) {
            ConsoleJson.tree(Objects.requireNonNull(problem.details()))
                    .properties()
                    .forEach(each -> members.put(each.getKey(), each.getValue()));
        }
        return new ConsoleResponse(status, ConsoleResponse.PROBLEM, ConsoleJson.write(members));
    }

    /** Returns what an error means for the caller. */
    public static RouteProblem of(RuntimeException error) {
        if (error instanceof RouteProblem problem) {
            return problem;
        }
        if (error instanceof BrokenFilterException filter) {
            return new RouteProblem(
                    ProblemCode.FILTER_BROKEN,
                    message(error),
                    "Correct the filter at this position.",
                    new FilterPlace(filter.position(), filter.length()));
        }
        if (error instanceof SagaStateException saga) {
            return saga.status().isEmpty()
                    ? RouteProblem.notFound(message(error), "Finished sagas are removed after their retention.")
                    : RouteProblem.conflict(message(error), "Read the saga again and decide anew.");
        }
        if (error instanceof MessageStateException) {
            return RouteProblem.conflict(message(error), "Read the message again and decide anew.");
        }
        if (error instanceof SchemaVersionException) {
            return schema(message(error));
        }
        SQLException sql = sql(error);
        if (sql != null) {
            return of(sql);
        }
        if (error instanceof OutboxException) {
            return RouteProblem.conflict(message(error), "Read it again and decide anew.");
        }
        if (error instanceof IllegalArgumentException) {
            return RouteProblem.badRequest(message(error));
        }
        return internal();
    }

    private static RouteProblem of(SQLException sql) {
        if (SqlErrors.missingTable(sql)) {
            return schema("A table is missing");
        }
        if (sql instanceof SQLTimeoutException
                || CANCELLED_STATE.equals(sql.getSQLState())
                || CANCELLED_CODES.contains(sql.getErrorCode())) {
            return new RouteProblem(
                    ProblemCode.UNAVAILABLE,
                    "The database took longer than the time limit of the console",
                    "Narrow the filter, or try again when the database is less busy.");
        }
        if (unconnected(sql)) {
            return unreachable();
        }
        if (SqlErrors.lockTimeout(sql) || SqlErrors.retryable(sql)) {
            return RouteProblem.conflict("A relay or another person holds the rows", "Try again.");
        }
        if (SqlErrors.readOnly(sql)) {
            return RouteProblem.conflict("The database takes no writes", "Connect the console to the primary.");
        }
        if (SqlErrors.denied(sql)) {
            return new RouteProblem(
                    ProblemCode.UNAVAILABLE,
                    "The database user of the console lacks a privilege",
                    "Grant it as docs/operations.md says under 'Least privilege'.");
        }
        return internal();
    }

    // A pool's own errors have neither state nor code.
    private static boolean unconnected(SQLException sql) {
        return sql instanceof SQLTransientConnectionException
                || sql instanceof SQLNonTransientConnectionException
                || (sql.getSQLState() == null && sql.getErrorCode() == 0)
                || SqlErrors.connectionLost(sql);
    }

    /** Returns the problem of a database that does not answer. */
    public static RouteProblem unreachable() {
        return new RouteProblem(
                ProblemCode.DATABASE_UNREACHABLE,
                "The database does not answer, or its connection pool is used up",
                "Check the database and the network, then try again.");
    }

    private static RouteProblem schema(String detail) {
        return new RouteProblem(
                ProblemCode.SCHEMA_MISSING, detail, "Run 'postrider schema migrate', or apply 'postrider schema sql'.");
    }

    private static RouteProblem internal() {
        return new RouteProblem(
                ProblemCode.INTERNAL,
                "Something went wrong; the log of this process has the cause",
                "Look for the warning in the log at this time.");
    }

    private static @Nullable SQLException sql(Throwable error) {
        Throwable cause = error;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
            cause = cause.getCause();
        }
        return null;
    }

    private static String message(RuntimeException error) {
        return Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
    }
}
