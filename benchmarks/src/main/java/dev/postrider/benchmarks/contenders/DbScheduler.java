package dev.postrider.benchmarks.contenders;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.jdbc.JdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.MariaDBJdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** db-scheduler: every message is a one-time task, whose row is deleted when it is done. */
final class DbScheduler extends PlainTransactions {

    private static final int THREADS = 32;
    private static final Duration POLL = Duration.ofMillis(50);

    // Without the index for priorities, which nobody uses here.
    private static final String POSTGRES_TABLE = """
            create table scheduled_tasks (
              task_name            text not null,
              task_instance        text not null,
              task_data            bytea,
              execution_time       timestamp with time zone not null,
              picked               boolean not null,
              picked_by            text,
              last_success         timestamp with time zone,
              last_failure         timestamp with time zone,
              consecutive_failures int,
              last_heartbeat       timestamp with time zone,
              version              bigint not null,
              priority             smallint,
              primary key (task_name, task_instance)
            )
            """;
    private static final String MARIADB_TABLE = """
            create table scheduled_tasks (
              task_name            varchar(100) not null,
              task_instance        varchar(100) not null,
              task_data            blob,
              execution_time       timestamp(6) not null,
              picked               boolean not null,
              picked_by            varchar(50),
              last_success         timestamp(6) null,
              last_failure         timestamp(6) null,
              consecutive_failures int,
              last_heartbeat       timestamp(6) null,
              version              bigint not null,
              priority             smallint,
              primary key (task_name, task_instance)
            )
            """;

    private final OneTimeTask<String> task =
            Tasks.oneTime("message", String.class).execute((instance, context) -> deliver(instance));
    private final TransactionDataSource transactions;
    private final SchedulerClient client;
    private volatile @Nullable Scheduler scheduler;

    DbScheduler(Arena arena) {
        super(arena, THREADS + 8);
        this.transactions = new TransactionDataSource(pool);
        this.client = SchedulerClient.Builder.create(transactions, task)
                .jdbcCustomization(customization())
                .build();
    }

    // What it would detect itself, but with times in UTC on MariaDB, as its documentation asks for.
    private JdbcCustomization customization() {
        return arena.postgres() ? new PostgreSqlJdbcCustomization(false, false) : new MariaDBJdbcCustomization(true);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "version", "16.12.0",
                "polling", arena.postgres() ? "lock-and-fetch 4.0/16.0, 50 ms" : "fetch 0.5/3.0, 50 ms",
                "threads", "32",
                "pool", "40",
                "schedule", "scheduleBatch of one: no look whether it exists",
                "after the commit", "triggerCheckForDueExecutions",
                "rows", "deleted");
    }

    @Override
    public void install() throws SQLException {
        arena.execute(
                arena.postgres() ? POSTGRES_TABLE : MARIADB_TABLE,
                "create index execution_time_idx on scheduled_tasks (execution_time)",
                "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
    }

    @Override
    protected void enqueue(Connection connection, int number, String key, String payload) {
        List<TaskInstance<?>> messages = List.of(task.instance(key + ":" + number, payload));
        transactions.with(connection, () -> client.scheduleBatch(messages, Instant.now()));
    }

    // Its documentation recommends this for what was scheduled inside a transaction.
    @Override
    protected void committed() {
        if (scheduler != null) {
            scheduler.triggerCheckForDueExecutions();
        }
    }

    @Override
    public void start() {
        SchedulerBuilder builder = Scheduler.create(pool, task)
                .jdbcCustomization(customization())
                .threads(THREADS)
                .pollingInterval(POLL);
        scheduler = polling(builder).build();
        scheduler.start();
    }

    // On MariaDB it cannot lock and fetch in one step.
    private SchedulerBuilder polling(SchedulerBuilder builder) {
        return arena.postgres() ? builder.pollUsingLockAndFetch(4.0, 16.0) : builder.pollUsingFetch(0.5, 3.0);
    }

    @Override
    public void stop() {
        if (scheduler != null) {
            scheduler.stop();
            scheduler = null;
        }
    }

    @Override
    public boolean settled() throws SQLException {
        return arena.query("select count(*) from (select 1 from scheduled_tasks limit 1) waiting")
                .equals("0");
    }

    private void deliver(TaskInstance<String> instance) {
        String key = instance.getId().substring(0, instance.getId().lastIndexOf(':'));
        try {
            arena.sink().take(key, Cargo.bytes(instance.getData()));
        } catch (Exception e) {
            throw new IllegalStateException("Could not deliver " + instance.getId(), e);
        }
    }
}
