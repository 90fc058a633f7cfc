package dev.postrider.server;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that takes every message and keeps its payload. */
final class HttpSink implements AutoCloseable {

    private final HttpServer server;
    private final List<String> payloads = new CopyOnWriteArrayList<>();

    private HttpSink(HttpServer server) {
        this.server = server;
    }

    static HttpSink start() {
        try {
            HttpSink sink =
                    new HttpSink(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            sink.server.createContext("/", exchange -> {
                try (exchange) {
                    sink.payloads.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(204, -1);
                }
            });
            sink.server.start();
            return sink;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start an endpoint", e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    List<String> payloads() {
        return List.copyOf(payloads);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
