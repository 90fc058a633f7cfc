package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TcpProxyTest {

    private static final int SHORT = 300;
    private static final int LONG = 30_000;

    private final EchoServer server = EchoServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void bytesGoThroughInBothDirections() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 'a')).isEqualTo('a');
            assertThat(echo(client, 'b')).isEqualTo('b');
        }
    }

    @Test
    void aCutClosesPresentConnectionsAndLetsNewOnesIn() throws IOException {
        try (Socket present = connect()) {
            echo(present, 'a');

            proxy.cut();

            assertThat(ends(present)).isTrue();
        }
        try (Socket next = connect()) {
            assertThat(echo(next, 'b')).isEqualTo('b');
        }
    }

    @Test
    void refusingKeepsNewConnectionsOutAndPresentOnesOpen() throws IOException {
        try (Socket present = connect()) {
            echo(present, 'a');

            proxy.refuse();

            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(echo(present, 'b')).isEqualTo('b');
        }
        proxy.accept();
        try (Socket next = connect()) {
            assertThat(echo(next, 'c')).isEqualTo('c');
        }
    }

    @Test
    void aBlackHoleHoldsRequestsBackUntilItIsHealed() throws Exception {
        try (Socket client = connect()) {
            proxy.blackhole();

            client.getOutputStream().write('a');

            assertThat(server.received.poll(SHORT, TimeUnit.MILLISECONDS)).isNull();
            proxy.heal();
            assertThat(read(client, LONG)).isEqualTo('a');
        }
    }

    @Test
    void swallowedResponsesReachTheServerButNotTheClient() throws Exception {
        try (Socket client = connect()) {
            proxy.swallowResponses();

            client.getOutputStream().write('a');

            assertThat(server.received.poll(LONG, TimeUnit.MILLISECONDS)).isEqualTo((int) 'a');
            assertThatThrownBy(() -> read(client, SHORT)).isInstanceOf(SocketTimeoutException.class);
            proxy.cut();
            proxy.heal();
            assertThat(ends(client)).isTrue();
        }
    }

    @Test
    void silenceHoldsPresentConnectionsBackAndLetsNewOnesThrough() throws Exception {
        try (Socket present = connect();
                Socket next = silencedBefore(present)) {
            assertThat(echo(next, 'b')).isEqualTo('b');
            assertThat(server.received.poll(LONG, TimeUnit.MILLISECONDS)).isEqualTo((int) 'a');
            assertThat(server.received.poll(LONG, TimeUnit.MILLISECONDS)).isEqualTo((int) 'b');

            present.getOutputStream().write('c');

            assertThat(server.received.poll(SHORT, TimeUnit.MILLISECONDS)).isNull();
            proxy.heal();
            assertThat(read(present, LONG)).isEqualTo('c');
        }
    }

    private Socket silencedBefore(Socket present) throws IOException {
        echo(present, 'a');
        proxy.silence();
        return connect();
    }

    @Test
    void aConnectionEndsWhenTheServerIsGone() throws IOException {
        // A port that is taken without anybody listening: one that was given up could be another server's by now.
        try (Socket nobody = new Socket()) {
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (TcpProxy toNobody = TcpProxy.to(nobody.getLocalPort());
                    Socket client = new Socket(InetAddress.getLoopbackAddress(), toNobody.port())) {
                assertThat(ends(client)).isTrue();
            }
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private static int echo(Socket client, int sent) throws IOException {
        client.getOutputStream().write(sent);
        return read(client, LONG);
    }

    private static int read(Socket client, int timeout) throws IOException {
        client.setSoTimeout(timeout);
        return client.getInputStream().read();
    }

    private static boolean ends(Socket client) throws IOException {
        try {
            return read(client, LONG) < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // Reset, which is an end too.
            return true;
        }
    }

    /** Sends every byte back and tells which it got. */
    private record EchoServer(ServerSocket socket, BlockingQueue<Integer> received) implements AutoCloseable {

        static EchoServer start() {
            try {
                EchoServer server = new EchoServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), new LinkedBlockingQueue<>());
                daemon(server::serve);
                return server;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try {
                    Socket client = socket.accept();
                    daemon(() -> echo(client));
                } catch (IOException e) {
                    // Closed: the loop ends.
                }
            }
        }

        private void echo(Socket client) {
            try (client;
                    InputStream input = client.getInputStream();
                    OutputStream output = client.getOutputStream()) {
                for (int next = input.read(); next >= 0; next = input.read()) {
                    received.add(next);
                    output.write(next);
                }
            } catch (IOException e) {
                // The client went away.
            }
        }

        private static void daemon(Runnable task) {
            Thread thread = new Thread(task, "echo-server");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
