package dev.postrider.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Set;

/** One client's connection through a {@link TcpProxy}; it ends when either side ends. */
final class ProxiedConnection {

    private static final int BUFFER = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final Set<ProxiedConnection> open;
    private final Valve both = new Valve();

    ProxiedConnection(Socket client, Socket server, Set<ProxiedConnection> open) {
        this.client = client;
        this.server = server;
        this.open = open;
    }

    /** Copies bytes until one side closes. */
    void pump(Socket from, Socket to, Valve valve) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream input = from.getInputStream();
                OutputStream output = to.getOutputStream()) {
            int length = input.read(buffer);
            while (length >= 0) {
                valve.pause();
                valve.await(to::isClosed);
                both.await(to::isClosed);
                output.write(buffer, 0, length);
                length = input.read(buffer);
            }
        } catch (IOException e) {
            // Cut, or one side went away: both ends are closed below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /** Holds back both directions of this connection. */
    void silence() {
        both.shut();
    }

    /** Lets both directions through again. */
    void heal() {
        both.open();
    }

    void close() {
        open.remove(this);
        close(client);
        close(server);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It counts as closed all the same.
        }
    }
}
