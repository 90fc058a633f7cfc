package dev.postrider.inbox;

import dev.postrider.database.Dialect;
import dev.postrider.database.FrameworkTransaction;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.JdbcOutbox;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What every part of an inbox needs. */
record InboxContext(
        Transactions transactions,
        InboxSettings settings,
        @Nullable JdbcOutbox outbox,
        InboxListener listener) {

    private static final int TIMEOUT_SECONDS = 30;

    static Transactions transactions(DataSource dataSource, TableNames names) {
        return transactions(dataSource, names, null);
    }

    static Transactions transactions(
            DataSource dataSource, TableNames names, FrameworkTransaction.@Nullable Source framework) {
        return new Transactions(dataSource, names, InboxSchema.FILES, TIMEOUT_SECONDS, InboxContext::text, framework);
    }

    static SqlText text(TableNames names, Dialect dialect) {
        boolean postgres = dialect == Dialect.POSTGRESQL;
        return new SqlText(names, dialect, statement -> statement.replace("{dual}", postgres ? "" : "from dual"));
    }

    Marks marks(Incoming incoming) {
        return settings.bySequence(incoming) ? new SequenceMarks() : new IdMarks(settings);
    }

    /** Returns what saves round trips where the database takes statements together; null where it does not. */
    @Nullable JointMarks jointMarks(Incoming incoming) {
        boolean joint = !transactions.ofFramework()
                && transactions.dialect() == Dialect.POSTGRESQL
                && !settings.bySequence(incoming);
        return joint ? new JointMarks(settings) : null;
    }
}
