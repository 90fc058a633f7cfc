package dev.postrider.server.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks the API of a running dev process. */
final class DevClient {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newHttpClient();
    private final String source;

    DevClient(String address) {
        this.source = address + "api/v1/sources/main/";
    }

    /** Returns the answer to a GET below the source. */
    String get(String path) {
        return send(HttpRequest.newBuilder(URI.create(source + path)), 200);
    }

    /** Returns the answer to a POST below the source. */
    String post(String path, String body) {
        return send(
                HttpRequest.newBuilder(URI.create(source + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)),
                200);
    }

    private String send(HttpRequest.Builder request, int expected) {
        try {
            HttpResponse<String> response =
                    client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != expected) {
                throw new IllegalStateException("%d %s".formatted(response.statusCode(), response.body()));
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
