package dev.postrider.console.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes the messages of a server and counts them. */
final class CountingEndpoint implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger received = new AtomicInteger();

    private CountingEndpoint(HttpServer server) {
        this.server = server;
    }

    static CountingEndpoint start() {
        try {
            CountingEndpoint endpoint = new CountingEndpoint(
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            endpoint.server.createContext("/", exchange -> {
                try (exchange) {
                    exchange.getRequestBody().readAllBytes();
                    endpoint.received.incrementAndGet();
                    exchange.sendResponseHeaders(204, -1);
                }
            });
            endpoint.server.start();
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start an endpoint", e);
        }
    }

    String url() {
        return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
    }

    int received() {
        return received.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
