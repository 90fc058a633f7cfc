package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server on this machine and breaks the connection in the ways a network does. What is
 * held back is not lost until the connection is cut, as with lost packets that TCP sends again. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

    private final int port = Machine.freePort();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final Valve toServer = new Valve();
    private final Valve toClient = new Valve();
    private volatile int target;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;

    private TcpProxy() {}

    /** Starts a proxy in front of the server at {@code targetPort}. */
    public static TcpProxy to(int targetPort) {
        TcpProxy proxy = unconnected();
        proxy.forwardTo(targetPort);
        return proxy;
    }

    /** Starts a proxy that closes every connection until it is told where to {@link #forwardTo}. */
    public static TcpProxy unconnected() {
        TcpProxy proxy = new TcpProxy();
        proxy.accept();
        return proxy;
    }

    /** Sends connections to {@code targetPort} from now on. */
    public void forwardTo(int targetPort) {
        target = targetPort;
    }

    /** The port that clients connect to. */
    public int port() {
        return port;
    }

    /** Closes all present connections. */
    public void cut() {
        connections.forEach(ProxiedConnection::close);
    }

    /** Refuses new connections; the present ones stay. */
    public synchronized void refuse() {
        if (listener == null || acceptor == null) {
            return;
        }
        try {
            listener.close();
            listener = null;
            // The kernel goes on accepting for as long as a thread is blocked in it.
            acceptor.join();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not stop listening on " + port, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accepts new connections again. */
    public synchronized void accept() {
        if (listener != null) {
            return;
        }
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listener = socket;
            acceptor = start("accept", () -> acceptFrom(socket));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not listen on " + port, e);
        }
    }

    /** Accepts connections and holds back everything in both directions. */
    public void blackhole() {
        toServer.shut();
        toClient.shut();
    }

    /** Lets requests through and holds back what the server answers. */
    public void swallowResponses() {
        toClient.shut();
    }

    /**
     * Holds back everything on the present connections, without closing them; new connections work. A fail-over whose
     * old server sends no RST looks like this.
     */
    public void silence() {
        connections.forEach(ProxiedConnection::silence);
    }

    /** Lets every answer of the server arrive later by this time, as a database that is far away does. */
    public void delayAnswers(Duration time) {
        toClient.delay(time);
    }

    /** Lets everything through again, what was held back first. */
    public void heal() {
        toServer.open();
        toClient.open();
        connections.forEach(ProxiedConnection::heal);
    }

    @Override
    public void close() {
        refuse();
        cut();
    }

    private void acceptFrom(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException e) {
                // Closed, or a client that went away again: the loop's condition decides.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        ProxiedConnection connection = new ProxiedConnection(client, server, connections);
        connections.add(connection);
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException e) {
            connection.close();
            throw e;
        }
        start("to-server", () -> connection.pump(client, server, toServer));
        start("to-client", () -> connection.pump(server, client, toClient));
    }

    private Thread start(String what, Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy-" + port + "-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
