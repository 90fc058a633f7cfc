package dev.postrider.cli.link;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxException;
import dev.postrider.all.Postrider;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes, prints and checks the tables of a database. */
public final class SchemaLink implements AutoCloseable {

    private static final int MOST_CAUSES = 20;

    private final HikariDataSource pool;
    private final Postrider postrider;

    SchemaLink(HikariDataSource pool, TableSettings tables) {
        this.pool = pool;
        this.postrider = tables.on(pool);
    }

    /** Returns the SQL that makes all tables from nothing. */
    public String sql() {
        return explained(postrider::schemaSql);
    }

    /** Creates or upgrades all tables. */
    public void migrate() {
        explained(() -> {
            postrider.migrate();
            return "";
        });
    }

    /** Returns why the tables do not fit; null if they do. */
    public @Nullable String misfit() {
        try {
            postrider.validate();
            return null;
        } catch (OutboxException e) {
            return message(e)
                    .replaceAll(
                            "run \\w+\\.migrate\\(\\) or apply the SQL that \\w+\\.print\\(\\) gives",
                            "run 'postrider schema migrate' or apply the SQL of 'postrider schema sql'");
        }
    }

    private static String explained(Supplier<String> work) {
        try {
            return work.get();
        } catch (OutboxException e) {
            throw new CliException(ExitCodes.FAILED, message(e), e);
        }
    }

    /** The outermost message says what was tried, the database's own says why not. */
    private static String message(OutboxException e) {
        Throwable cause = e.getCause();
        for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause()) {
            if (cause instanceof SQLException && cause.getMessage() != null) {
                return "%s: %s"
                        .formatted(
                                e.getMessage(),
                                cause.getMessage().lines().findFirst().orElse(""));
            }
        }
        return String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        pool.close();
    }
}
