package dev.postrider.jdbc.operator;

import dev.postrider.admin.Decision;
import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.admin.RetentionStore;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.OutboxDialect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Removes what is no longer kept from the outbox tables. Thread-safe. */
public final class JdbcRetention implements RetentionStore {

    private static final int TIMEOUT_SECONDS = 10;
    private static final Duration OFTEN = Duration.ofHours(1);
    private static final Duration SELDOM = Duration.ofDays(1);
    private static final int SHARE = 30;
    private static final String ACTOR = "retention";

    /** One kind of rows after the other, each until there is nothing left to remove. */
    private enum Turn {
        DELIVERED("DELIVERED messages"),
        ATTEMPTS("attempts"),
        ARCHIVE("archived messages"),
        AUDIT("audit entries"),
        BULK("bulk actions and their rows");

        private final String rows;

        Turn(String rows) {
            this.rows = rows;
        }

        Turn next() {
            return switch (this) {
                case DELIVERED -> ATTEMPTS;
                case ATTEMPTS -> ARCHIVE;
                case ARCHIVE -> AUDIT;
                case AUDIT -> BULK;
                case BULK -> DELIVERED;
            };
        }
    }

    private final Transactions transactions;
    private final LongSupplier nanoTime;
    private final Map<Turn, PurgeTrail> trails = new EnumMap<>(Turn.class);
    private Turn turn = Turn.DELIVERED;
    private @Nullable Purge walk;
    private long start;
    private long startedAtZero;

    JdbcRetention(DataSource dataSource, TableNames names, LongSupplier nanoTime) {
        this.transactions = OutboxDialect.transactions(dataSource, names, TIMEOUT_SECONDS);
        this.nanoTime = nanoTime;
        for (Turn each : Turn.values()) {
            trails.put(each, new PurgeTrail(each.rows, OFTEN, nanoTime));
        }
    }

    /** Returns the retention of the tables with the default names. */
    public static JdbcRetention of(DataSource dataSource) {
        return of(dataSource, TableNames.defaults());
    }

    /** Returns the retention of the tables with these names. */
    public static JdbcRetention of(DataSource dataSource, TableNames names) {
        return new JdbcRetention(dataSource, names, System::nanoTime);
    }

    @Override
    public synchronized RetentionStep step(Retention policy, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 but was " + limit);
        }
        RetentionStep step = switch (turn) {
            case DELIVERED -> delivered(policy, limit);
            case ATTEMPTS -> {
                int removed = older(policy.attempts(), limit, OldRows.ATTEMPTS::remove);
                yield new RetentionStep(0, removed, 0, 0, 0, removed < limit);
            }
            case ARCHIVE -> {
                int removed = older(policy.archive(), limit, OldRows.ARCHIVE::remove);
                yield new RetentionStep(0, 0, removed, 0, 0, removed < limit);
            }
            case AUDIT -> {
                int removed = older(policy.audit(), limit, OldRows.AUDIT::remove);
                yield new RetentionStep(0, 0, 0, removed, 0, removed < limit);
            }
            case BULK -> {
                int removed = older(policy.bulk(), limit, OldBulks::remove);
                yield new RetentionStep(0, 0, 0, 0, removed, removed == 0);
            }
        };
        return step.ended() ? next(step) : step;
    }

    private RetentionStep next(RetentionStep step) {
        turn = turn.next();
        return new RetentionStep(
                step.delivered(), step.attempts(), step.archive(), step.audit(), step.bulk(), turn == Turn.DELIVERED);
    }

    private RetentionStep delivered(Retention policy, int limit) {
        Duration age = policy.delivered();
        if (age == null) {
            return RetentionStep.nothing();
        }
        Purge current = walk == null ? begin(policy, age) : walk;
        int removed = current.step(limit);
        start = current.next();
        walk = current.ended() ? null : current;
        return new RetentionStep(removed, 0, 0, 0, 0, current.ended());
    }

    // Rows that wait for long may have gathered at the beginning of the table. Most walks begin behind them; one that
    // begins at zero comes often enough that nothing is kept for more than a thirtieth longer than it should be.
    private Purge begin(Retention policy, Duration age) {
        long now = nanoTime.getAsLong();
        Duration share = age.dividedBy(SHARE);
        Duration fromZero = share.compareTo(OFTEN) < 0 ? OFTEN : share.compareTo(SELDOM) > 0 ? SELDOM : share;
        if (start == 0 || now - startedAtZero >= fromZero.toNanos()) {
            start = 0;
            startedAtZero = now;
        }
        return new Purge(transactions, age, policy.archived(), start, decision(age), trail());
    }

    /** Removes rows older than an age. */
    @FunctionalInterface
    private interface Removal {
        int remove(Session session, long age, int limit) throws SQLException;
    }

    private int older(@Nullable Duration age, int limit, Removal removal) {
        if (age == null) {
            return 0;
        }
        PurgeTrail trail = trail();
        int removed = transactions.transacted("remove old " + turn.rows, session -> {
            int rows = removal.remove(session, Micros.of(age), limit);
            trail.removed(session, decision(age), rows);
            return rows;
        });
        trail.committed(removed);
        return removed;
    }

    private PurgeTrail trail() {
        return Objects.requireNonNull(trails.get(turn));
    }

    private static Decision decision(Duration age) {
        return new Decision(ACTOR, "older than " + age);
    }
}
