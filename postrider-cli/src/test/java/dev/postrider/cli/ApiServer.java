package dev.postrider.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postrider.console.Attachment;
import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Brings HTTP requests to an API, with the users {@code ada} and {@code viola} whose passwords are {@code secret}. */
final class ApiServer implements AutoCloseable {

    private static final Map<String, ConsoleRole> USERS =
            Map.of("ada", ConsoleRole.ADMIN, "viola", ConsoleRole.VIEWER, "tokenist", ConsoleRole.OPERATOR);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final ConsoleApi api;

    ApiServer(ConsoleApi api) {
        this.api = api;
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not listen", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Caller caller = caller(exchange.getRequestHeaders());
            if (caller == null) {
                send(exchange, new ConsoleResponse(401, "text/plain", "Who are you?"));
                return;
            }
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            send(
                    exchange,
                    api.handle(new ConsoleRequest(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().getPath(),
                            query(exchange.getRequestURI().getRawQuery()),
                            body,
                            caller)));
        }
    }

    private static @Nullable Caller caller(Headers headers) {
        String header = Objects.requireNonNullElse(headers.getFirst("Authorization"), "");
        if (header.equals("Bearer token-of-the-test")) {
            return new Caller("tokenist", ConsoleRole.OPERATOR);
        }
        if (!header.startsWith("Basic ")) {
            return null;
        }
        String[] pair =
                new String(Base64.getDecoder().decode(header.substring(6)), StandardCharsets.UTF_8).split(":", 2);
        ConsoleRole role = USERS.get(pair[0]);
        return role != null && pair[1].equals("secret") ? new Caller(pair[0], role) : null;
    }

    private static Map<String, List<String>> query(@Nullable String raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                String[] parts = pair.split("=", 2);
                query.put(decoded(parts[0]), List.of(decoded(parts[1])));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, ConsoleResponse answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        exchange.sendResponseHeaders(answer.status(), answer.status() == 204 ? -1 : 0);
        try (OutputStream out = exchange.getResponseBody()) {
            Attachment attachment = answer.attachment();
            if (attachment != null) {
                attachment.content().writeTo(out);
            } else {
                out.write(answer.body().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
