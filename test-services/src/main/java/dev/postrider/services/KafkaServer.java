package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker, a cluster of one, in a process of its own. It has two doors: clients of
 * {@link #bootstrapServers} need no name and may do everything; clients of {@link #saslBootstrapServers} have a name
 * and may do what no ACL forbids them. Ask for the {@link #shared} broker where any will do and {@link #start} an own
 * one where the test kills or freezes it. Thread-safe.
 */
public final class KafkaServer implements AutoCloseable {

    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);

    private static @Nullable KafkaServer shared;

    private final KafkaLaunch launch;
    private final boolean own;
    private final Runnable atExit = this::end;
    private OwnedProcess process;

    private KafkaServer(KafkaLaunch launch, boolean own) {
        this.launch = launch;
        this.own = own;
        this.process = run(launch);
    }

    private static OwnedProcess run(KafkaLaunch launch) {
        return launch.run("-XX:SharedArchiveFile=" + KafkaClasses.archive());
    }

    /**
     * Says whether a broker can be started here, so that a test can be skipped with the reason. With {@code CI=true}
     * the answer is always yes: there a missing service has to fail the test.
     */
    public static Availability available() {
        return Availability.of("KAFKA", KafkaLaunch::obstacle);
    }

    /**
     * Returns the broker with the default options that the whole JVM shares, starting it on first use. It ends with the
     * JVM; closing the handle does nothing.
     */
    public static synchronized KafkaServer shared() {
        KafkaServer running = shared;
        if (running == null) {
            running = start(KafkaOptions.defaults(), false);
            shared = running;
        }
        return running;
    }

    /** Starts an own broker with the default options. */
    public static KafkaServer start() {
        return start(KafkaOptions.defaults());
    }

    /** Starts an own broker that can be killed and restarted; closing the handle ends it and deletes its data. */
    public static KafkaServer start(KafkaOptions options) {
        return start(options, true);
    }

    private static KafkaServer start(KafkaOptions options, boolean own) {
        KafkaLaunch.obstacle().ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        try {
            KafkaServer server = new KafkaServer(KafkaLaunch.prepare(options), own);
            AtExit.add(server.atExit);
            try {
                KafkaLaunch.awaitStarted(server.process, 0);
            } catch (IllegalStateException e) {
                server.end();
                throw e;
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare a Kafka broker", e);
        }
    }

    /** Where clients without a name find the broker, or what is in front of it. It stays the same over a restart. */
    public String bootstrapServers() {
        return "127.0.0.1:" + launch.advertisedPort();
    }

    /** Where clients with a name find the broker. It stays the same over a restart. */
    public String saslBootstrapServers() {
        return "127.0.0.1:" + launch.saslPort();
    }

    /** The settings a client needs to be {@code User:publisher} at {@link #saslBootstrapServers}. */
    public Map<String, String> publisherSettings() {
        return KafkaLaunch.publisherSettings();
    }

    /** The TCP port behind {@link #bootstrapServers}, for a proxy in front of it. */
    public int port() {
        return launch.port();
    }

    /** The process id of the broker. */
    public synchronized long pid() {
        return process.pid();
    }

    /** The last lines of the broker's log. */
    public synchronized String log() {
        return process.outputTail();
    }

    /** Kills an own broker with SIGKILL and waits until it is gone. */
    public synchronized void kill() {
        requireOwn("killed");
        process.kill();
    }

    /** Starts an own broker again on the same data and ports, after stopping it in an orderly way if it still runs. */
    public synchronized void restart() {
        requireOwn("restarted");
        process.end("TERM", STOP_TIMEOUT);
        int logged = process.output().length();
        process = run(launch);
        KafkaLaunch.awaitStarted(process, logged);
    }

    /** Freezes an own broker with SIGSTOP: its connections stay open and nothing is answered. */
    public synchronized void freeze() {
        requireOwn("frozen");
        process.freeze();
    }

    /** Lets a frozen broker go on with SIGCONT. */
    public synchronized void thaw() {
        requireOwn("thawed");
        process.thaw();
    }

    @Override
    public void close() {
        if (own) {
            end();
        }
    }

    private synchronized void end() {
        AtExit.remove(atExit);
        process.kill();
        Folders.delete(launch.folder());
    }

    private void requireOwn(String what) {
        if (!own) {
            throw new IllegalStateException("The shared Kafka must not be %s: start an own one".formatted(what));
        }
    }

    @Override
    public String toString() {
        return "Kafka at " + bootstrapServers();
    }
}
