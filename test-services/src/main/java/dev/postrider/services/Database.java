package dev.postrider.services;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * One database on a real server. Ask for the {@link #shared} server where any will do, {@link #start} an own one where
 * the test kills it, and give every test class a {@link #freshDatabase}. Thread-safe.
 */
public final class Database implements AutoCloseable {

    /** The servers that can be started. */
    public enum Kind {
        POSTGRES_15,
        POSTGRES_18,
        MARIADB,
        MYSQL,
        H2
    }

    private static final Map<Kind, Database> SHARED = new EnumMap<>(Kind.class);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Kind kind;
    private final Host host;
    private final String name;
    private final Runnable closing;
    private final boolean killable;

    private Database(Kind kind, Host host, String name, Runnable closing, boolean killable) {
        this.kind = kind;
        this.host = host;
        this.name = name;
        this.closing = closing;
        this.killable = killable;
    }

    /**
     * Says whether {@code kind} can be started here, so that a test can be skipped with the reason. With
     * {@code CI=true} the answer is always yes: there a missing service has to fail the test.
     */
    public static Availability available(Kind kind) {
        return Availability.of(kind.name(), () -> Hosts.obstacle(kind));
    }

    /**
     * Returns the server of this kind that the whole JVM shares, starting it on first use. It ends with the JVM;
     * closing the handle does nothing.
     */
    public static Database shared(Kind kind) {
        synchronized (SHARED) {
            Database running = SHARED.get(kind);
            if (running == null) {
                Host host = Hosts.start(kind, ServerOptions.defaults());
                running = new Database(kind, host, host.initialDatabase(), () -> {}, false);
                SHARED.put(kind, running);
            }
            return running;
        }
    }

    /** Starts an own server with the default options. */
    public static Database start(Kind kind) {
        return start(kind, ServerOptions.defaults());
    }

    /** Starts an own server that can be killed and restarted; closing the handle ends it and deletes its data. */
    public static Database start(Kind kind, ServerOptions options) {
        Host host = Hosts.start(kind, options);
        return new Database(kind, host, host.initialDatabase(), host::close, true);
    }

    /** Creates an empty database on the same server; closing the returned handle drops it. */
    public Database freshDatabase() {
        String fresh = "fresh_" + NAMES.incrementAndGet();
        host.create(fresh);
        return new Database(kind, host, fresh, () -> host.drop(fresh), killable);
    }

    /** The same database, which is closed once and in this way. */
    Database closedBy(Runnable end) {
        AtomicBoolean open = new AtomicBoolean(true);
        Runnable once = () -> {
            if (open.compareAndSet(true, false)) {
                end.run();
            }
        };
        return new Database(kind, host, name, once, killable);
    }

    public Kind kind() {
        return kind;
    }

    public String name() {
        return name;
    }

    /** The URL without user and password. It stays the same over a restart. */
    public String jdbcUrl() {
        return host.url(name);
    }

    public String user() {
        return host.user();
    }

    public String password() {
        return host.password();
    }

    /** Returns the driver's own data source: no pool, a new connection each time. */
    public DataSource dataSource() {
        return host.dataSource(name);
    }

    /** The TCP port of the server, for a proxy in front of it; H2 has none. It stays the same over a restart. */
    public int port() {
        return host.port();
    }

    /** The process id of the server; H2 has none. */
    public long pid() {
        return host.pid();
    }

    /** The last lines of the server's log. */
    public String log() {
        return host.log();
    }

    /** Kills an own server and its descendants with SIGKILL and waits until all of them are gone. */
    public void kill() {
        requireOwn("killed");
        host.kill();
    }

    /** Starts an own server again on the same data and port, after stopping it in an orderly way if it still runs. */
    public void restart() {
        requireOwn("restarted");
        host.restart();
    }

    /** Starts an own PostgreSQL again as a standby of nobody: it reads, and takes no writes until it is promoted. */
    public void restartAsStandby() {
        requireOwn("restarted");
        host.restartAsStandby();
    }

    @Override
    public void close() {
        closing.run();
    }

    private void requireOwn(String what) {
        if (!killable) {
            throw new IllegalStateException("The shared %s must not be %s: start an own one".formatted(kind, what));
        }
    }

    @Override
    public String toString() {
        return kind + " at " + jdbcUrl();
    }
}
