package dev.postrider.e2e;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A broker as small as can be: relays in other processes send lines, and every line gets its place in one
 * {@link SinkLog} before it is confirmed. A relay says its name first. Thread-safe.
 */
final class Sink implements AutoCloseable {

    static final String STOPPING = "stopping";

    private final ServerSocket server;
    private final SinkLog log = new SinkLog();
    private final Map<String, Link> links = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "sink");
        thread.setDaemon(true);
        return thread;
    });

    private Sink(ServerSocket server) {
        this.server = server;
    }

    static Sink open() {
        try {
            Sink sink = new Sink(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            sink.threads.execute(sink::accept);
            return sink;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not open the sink", e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    SinkLog log() {
        return log;
    }

    /** Confirms nothing more to this relay until {@link #confirm}; what it sends still arrives. */
    void withhold(String relay) {
        link(relay).withhold();
    }

    void confirm(String relay) {
        link(relay).confirm();
    }

    /** Returns how many messages of this relay have arrived and are not confirmed. */
    long unconfirmed(String relay) {
        return link(relay).unconfirmed();
    }

    /** Returns when this relay announced that it stops, or null if it has not. */
    @Nullable Long stoppingNanos(String relay) {
        return link(relay).stoppingNanos;
    }

    boolean knows(String relay) {
        return links.containsKey(relay);
    }

    private Link link(String relay) {
        return Objects.requireNonNull(links.get(relay), relay);
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                // The sink was closed.
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.setTcpNoDelay(true);
            String relay = Objects.requireNonNull(in.readLine(), "name of the relay");
            Link link = new Link(new DataOutputStream(socket.getOutputStream()));
            links.put(relay, link);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(STOPPING)) {
                    link.stoppingNanos = System.nanoTime();
                } else {
                    log.append(relay, line);
                    link.arrived();
                }
                if (!in.ready()) {
                    link.confirmArrived();
                }
            }
        } catch (IOException e) {
            // The relay died; the rest of a line it did not finish is not a message.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not close the sink", e);
        }
    }

    /** The way back to one relay: a running count of the lines that have their place. */
    private static final class Link {

        private final DataOutputStream out;
        private long arrived;
        private long confirmed;
        private boolean withheld;
        volatile @Nullable Long stoppingNanos;

        Link(DataOutputStream out) {
            this.out = out;
        }

        synchronized void arrived() {
            arrived++;
        }

        synchronized void confirmArrived() throws IOException {
            if (!withheld && confirmed < arrived) {
                send();
            }
        }

        synchronized void withhold() {
            withheld = true;
        }

        synchronized void confirm() {
            withheld = false;
            try {
                send();
            } catch (IOException e) {
                throw new UncheckedIOException("Could not confirm", e);
            }
        }

        synchronized long unconfirmed() {
            return arrived - confirmed;
        }

        private void send() throws IOException {
            confirmed = arrived;
            out.writeLong(arrived);
            out.flush();
        }
    }
}
