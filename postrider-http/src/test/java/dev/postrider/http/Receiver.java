package dev.postrider.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ServerSocketFactory;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;

/** A receiver on a plain socket, so that it can misbehave in every way. */
final class Receiver implements AutoCloseable {

    private final ServerSocket server;
    private final Behaviour behaviour;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "receiver");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final List<String> serverNames = new CopyOnWriteArrayList<>();

    /** What to do with a request. */
    @FunctionalInterface
    interface Behaviour {

        void answer(Received request, Connection connection) throws IOException, InterruptedException;
    }

    /** One connection, seen from the receiver. */
    record Connection(Socket socket, OutputStream out) {

        void respond(int status, String... headers) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 %d Whatever\r\n".formatted(status));
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            write(head + "Content-Length: 2\r\n\r\nok");
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        /** Writes the text again and again until the other side closes; then throws. */
        void writeForEver(String text) throws IOException {
            while (!socket.isClosed()) {
                write(text);
            }
        }

        /** Waits until the other side closes. */
        void awaitEnd() throws IOException {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    private Receiver(ServerSocket server, Behaviour behaviour) {
        this.server = server;
        this.behaviour = behaviour;
        threads.execute(this::accept);
    }

    static Receiver that(Behaviour behaviour) throws IOException {
        return on("127.0.0.1", 0, behaviour);
    }

    /** Answers every request with this status. */
    static Receiver responding(int status, String... headers) throws IOException {
        return that((request, connection) -> connection.respond(status, headers));
    }

    static Receiver on(String address, int port, Behaviour behaviour) throws IOException {
        return on(address, port, ServerSocketFactory.getDefault(), behaviour);
    }

    static Receiver on(String address, int port, ServerSocketFactory sockets, Behaviour behaviour) throws IOException {
        InetAddress host = IpNet.literal(address).orElseThrow();
        return new Receiver(sockets.createServerSocket(port, 100, host), behaviour);
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** A publisher that may send to this receiver. */
    HttpPublisherBuilder publisher() {
        return publisher("/hook");
    }

    HttpPublisherBuilder publisher(String path) {
        return HttpPublisher.builder(url() + path)
                .allowPlaintext(true)
                .allowPort(port())
                .allowAddresses("127.0.0.0/8");
    }

    List<Received> requests() {
        return List.copyOf(requests);
    }

    int connections() {
        return connections.size();
    }

    /** The names that clients asked for when they began TLS. */
    List<String> serverNames() {
        return List.copyOf(serverNames);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            if (socket instanceof SSLSocket tls) {
                tls.startHandshake();
                ((ExtendedSSLSession) tls.getSession())
                        .getRequestedServerNames()
                        .forEach(name -> serverNames.add(new String(name.getEncoded(), StandardCharsets.US_ASCII)));
            }
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Connection connection = new Connection(socket, socket.getOutputStream());
            for (String head = head(in); !head.isEmpty() && !socket.isClosed(); head = head(in)) {
                behaviour.answer(receive(head, in), connection);
            }
        } catch (IOException e) {
            // The other side has gone; that is what some tests are about.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Received receive(String head, InputStream in) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        List<String> lines = head.strip().lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            if (headers.put(name, value) != null) {
                throw new AssertionError("The header %s came twice".formatted(name));
            }
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        boolean unread = headers.containsKey("x-leave-unread");
        byte[] body = unread ? new byte[0] : in.readNBytes(length);
        String text = new String(body, StandardCharsets.ISO_8859_1);
        String target = lines.get(0).split(" ", -1)[1];
        Received request = new Received(head, target, headers, text, System.nanoTime());
        requests.add(request);
        return request;
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
