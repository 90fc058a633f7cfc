package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.FaultPoints;
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/** A process that something happens to at a fault point. Thread-safe. */
final class Victim implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int SIGKILL = 128 + 9;

    /** Where a process dies: at a fault point, when it is reached for the nth time. */
    record Place(String point, int nth) {

        @Override
        public String toString() {
            return "%s-%d".formatted(point, nth);
        }
    }

    private final ChildJvm jvm;
    private final Place place;

    private Victim(ChildJvm jvm, Place place) {
        this.jvm = jvm;
        this.place = place;
    }

    /** Starts {@code main}, which reads its arguments with {@link #dataSource}, {@link #place} and {@link #more}. */
    static Victim launch(Class<?> main, Database database, Place place, String... more) {
        ChildJvm jvm = ChildJvm.of(main)
                .heap("96m")
                .quickStart()
                .systemProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn")
                .arguments(database.jdbcUrl(), database.user(), database.password())
                .arguments(place.point(), Integer.toString(place.nth()))
                .arguments(more)
                .start();
        return new Victim(jvm, place);
    }

    static DataSource dataSource(String[] arguments) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(arguments[0]);
        pool.setUsername(arguments[1]);
        pool.setPassword(arguments[2]);
        pool.setMaximumPoolSize(5);
        pool.setMinimumIdle(0);
        return new HikariDataSource(pool);
    }

    /** Lets the process kill itself where it was told to. */
    static void kill(String[] arguments) {
        FaultPoints.install(new SelfKill(arguments[3], Integer.parseInt(arguments[4])));
    }

    /** Lets the process halt there instead. */
    static void halt(String[] arguments, Path file) {
        FaultPoints.install(new Halt(arguments[3], Integer.parseInt(arguments[4]), file));
    }

    static List<String> more(String[] arguments) {
        return List.of(arguments).subList(5, arguments.length);
    }

    /**
     * Returns what has to be tried on a database: everything on PostgreSQL, and each fault point once on any other.
     * There the tests within the modules try the rest, with an error in place of the signal.
     */
    static <A> List<A> cases(Kind kind, List<A> all, Function<A, Place> place) {
        Set<String> points = new HashSet<>();
        return all.stream()
                .filter(each ->
                        kind == Kind.POSTGRES_18 || points.add(place.apply(each).point()))
                .toList();
    }

    ChildJvm jvm() {
        return jvm;
    }

    /** Waits until the process has died where it was told to, and returns what it had printed. */
    List<String> awaitDeath() {
        int status = jvm.awaitExit(PATIENCE);
        String printed = jvm.output();
        assertThat(printed).as("what the victim of %s printed", place).contains(SelfKill.lastWords(place.point()));
        assertThat(status).as("status of the victim of %s", place).isEqualTo(SIGKILL);
        return printed.lines().toList();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
