package dev.postrider.server.source;

import dev.postrider.database.SchemaVersionException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Turns the exception of a start into one line and an exit code. */
public final class SourceFailures {

    private SourceFailures() {}

    static SourceContext explained(String source, Supplier<SourceContext> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            Optional<StartException> own = find(e, StartException.class);
            if (own.isPresent()) {
                throw own.get();
            }
            throw new StartException(exitCode(e), "Source %s: %s".formatted(source, line(e)), e);
        }
    }

    /** Returns what a failed start should print: the line of the part that failed, or what an analyzer says. */
    public static StartException of(Throwable failure) {
        return find(failure, StartException.class)
                .orElseGet(() -> new StartException(exitCode(failure), line(failure), failure));
    }

    private static int exitCode(Throwable failure) {
        Optional<SQLException> database = find(failure, SQLException.class);
        if (database.map(SourceFailures::isConnection).orElse(false)) {
            return StartException.CANNOT_CONNECT;
        }
        boolean failed = database.isPresent()
                || find(failure, SchemaVersionException.class).isPresent()
                || find(failure, PortInUseException.class).isPresent();
        boolean wrongSetting = analysis(failure).isPresent()
                || find(failure, IllegalArgumentException.class).isPresent();
        return wrongSetting && !failed ? StartException.USAGE : StartException.FAILED;
    }

    private static boolean isConnection(SQLException error) {
        String state = error.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("28"));
    }

    private static String line(Throwable failure) {
        Optional<SchemaVersionException> schema = find(failure, SchemaVersionException.class);
        if (schema.isPresent()) {
            return schema(schema.get());
        }
        Optional<PortInUseException> port = find(failure, PortInUseException.class);
        if (port.isPresent()) {
            return "Port %d is taken: end the program that has it, or use --port"
                    .formatted(port.get().getPort());
        }
        return analysis(failure)
                .map(each -> JdbcUrl.shown(each.getDescription()) + action(each))
                .orElseGet(() -> JdbcUrl.shown(plain(root(failure))));
    }

    // The message of a refused argument is written for people; the type of anything else is part of what happened.
    private static String plain(Throwable root) {
        return root instanceof IllegalArgumentException && root.getMessage() != null
                ? root.getMessage()
                : root.toString();
    }

    private static String schema(SchemaVersionException schema) {
        String what = schema.newer()
                ? "upgrade this server"
                : "run 'postrider schema migrate', or set postrider.schema.mode=create-or-migrate";
        return "%s: %s".formatted(schema.getMessage(), what);
    }

    private static String action(FailureAnalysis analysis) {
        return analysis.getAction() == null ? "" : ": " + analysis.getAction();
    }

    private static Optional<FailureAnalysis> analysis(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation(SourceFailures.class.getClassLoader())
                .load(FailureAnalyzer.class, null, (type, name, cause) -> {})
                .stream()
                .flatMap(analyzer -> Optional.ofNullable(analyzer.analyze(failure)).stream())
                .findFirst();
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return Optional.of(type.cast(each));
            }
        }
        return Optional.empty();
    }

    private static Throwable root(Throwable failure) {
        Throwable each = failure;
        while (each.getCause() != null) {
            each = each.getCause();
        }
        return each;
    }
}
