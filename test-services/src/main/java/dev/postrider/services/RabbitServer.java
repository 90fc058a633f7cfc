package dev.postrider.services;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ node of the Debian package {@code rabbitmq-server}, with ports, folders and a port mapper of its own. The
 * user is guest with the password guest. Thread-safe.
 */
public final class RabbitServer implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(15);
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
    private static final int ANSWER_MILLIS = 10_000;
    private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private static @Nullable RabbitServer shared;

    private final RabbitNode node;
    private final OwnedProcess portMapper;
    private final boolean own;
    private final Runnable atExit = this::end;
    private OwnedProcess process;

    private RabbitServer(RabbitNode node, OwnedProcess portMapper, OwnedProcess process, boolean own) {
        this.node = node;
        this.portMapper = portMapper;
        this.process = process;
        this.own = own;
    }

    /**
     * Says whether RabbitMQ can be started here, so that a test can be skipped with the reason. With {@code CI=true}
     * the answer is always yes: there a missing service has to fail the test.
     */
    public static Availability available() {
        return Availability.of("RABBITMQ", RabbitNode::obstacle);
    }

    /**
     * Returns the node that the whole JVM shares, starting it on first use. It ends with the JVM; closing it does
     * nothing, and it can be neither killed nor frozen.
     */
    public static synchronized RabbitServer shared() {
        RabbitServer running = shared;
        if (running == null) {
            running = start(false);
            shared = running;
        }
        return running;
    }

    /** Starts an own node that can be killed and restarted; closing it ends it and deletes its data. */
    public static RabbitServer start() {
        return start(true);
    }

    private static RabbitServer start(boolean own) {
        RabbitNode.obstacle().ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        RabbitNode node = RabbitNode.create();
        OwnedProcess portMapper = OwnedProcess.start(node.portMapper(), node.folder(), "epmd.log");
        RabbitServer server = new RabbitServer(node, portMapper, run(node), own);
        AtExit.add(server.atExit);
        try {
            server.awaitReady();
        } catch (IllegalStateException e) {
            server.end();
            throw e;
        }
        return server;
    }

    private static OwnedProcess run(RabbitNode node) {
        return OwnedProcess.start(node.server(), node.folder(), "server.log");
    }

    private void awaitReady() {
        Poll.until(
                () -> {
                    if (!process.alive()) {
                        throw new IllegalStateException("RabbitMQ ended while starting:%n%s".formatted(log()));
                    }
                    return answers();
                },
                START_TIMEOUT,
                () -> "RabbitMQ did not start within %s:%n%s".formatted(START_TIMEOUT, log()));
    }

    // A node that is still booting, or stopping, has no listener.
    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(HELLO);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            // Not yet.
            return false;
        }
    }

    Path folder() {
        return node.folder();
    }

    /** The AMQP port. It stays the same over a restart. */
    public int port() {
        return node.port();
    }

    /** The address with user and password, as a client takes it. */
    public String uri() {
        return "amqp://guest:guest@127.0.0.1:" + port();
    }

    /** Runs {@code rabbitmqctl} with these arguments for this node and returns what it printed. */
    public String ctl(String... arguments) {
        return Command.run(node.control(arguments));
    }

    /** The last lines of the server's log. */
    public synchronized String log() {
        return process.outputTail();
    }

    /** Kills an own node with its descendants with SIGKILL and waits until all of them are gone. */
    public synchronized void kill() {
        requireOwn("killed");
        process.kill();
    }

    /** Starts an own node again on the same data and port, after stopping it in an orderly way if it still runs. */
    public synchronized void restart() {
        requireOwn("restarted");
        process.end("TERM", STOP_TIMEOUT);
        process = run(node);
        awaitReady();
    }

    /** Freezes an own node with SIGSTOP: its connections stay open and nobody answers. */
    public synchronized void freeze() {
        requireOwn("frozen");
        process.freeze();
    }

    /** Lets a frozen node go on. */
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
        portMapper.kill();
        Folders.delete(node.folder());
    }

    private void requireOwn(String what) {
        if (!own) {
            throw new IllegalStateException("The shared RabbitMQ must not be %s: start an own one".formatted(what));
        }
    }

    @Override
    public String toString() {
        return "RabbitMQ on port " + port();
    }
}
