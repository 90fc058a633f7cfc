package dev.postrider.cli.link;

import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Carries requests to a server. Thread-safe. */
final class HttpLink implements ConsoleLink {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 64 * 1024 * 1024;
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final LinkTarget target;
    private final String base;
    private final HttpClient client;

    HttpLink(LinkTarget target) {
        this.target = target;
        this.base = target.url().replaceAll("/+$", "");
        // A redirect would carry the caller's password to another address.
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        requireAddress();
    }

    private void requireAddress() {
        if (!base.startsWith("http://") && !base.startsWith("https://")) {
            throw new CliException(
                    ExitCodes.USAGE, "The address of a server begins with http:// or https://: " + target.shownUrl());
        }
    }

    @Override
    public LinkAnswer send(String method, String path, Map<String, String> query, String body) {
        return exchange(request(method, path, query, body), (status, read) -> text(read));
    }

    @Override
    public LinkAnswer download(String path, Map<String, String> query, OutputStream out) {
        return exchange(request("GET", path, query, ""), (status, read) -> {
            if (status != 200) {
                return text(read);
            }
            read.transferTo(out);
            return "";
        });
    }

    private LinkAnswer exchange(HttpRequest request, Reading reading) {
        try {
            HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                String type = answer.headers().firstValue("Content-Type").orElse("");
                return new LinkAnswer(answer.statusCode(), type, reading.of(answer.statusCode(), body));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCodes.FAILED, "Interrupted while waiting for " + target.shownUrl(), e);
        } catch (IOException e) {
            throw new CliException(ExitCodes.NO_CONNECTION, problem(e), e);
        }
    }

    private static String text(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new IOException("the answer has more than %d bytes".formatted(MOST_BYTES));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @FunctionalInterface
    private interface Reading {

        String of(int status, InputStream read) throws IOException;
    }

    private HttpRequest request(String method, String path, Map<String, String> query, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(base + encoded(path) + queryText(query)))
                .timeout(ANSWER)
                .header("Accept", "application/json, application/problem+json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        String secret = target.secret();
        if (secret != null && target.bearer()) {
            request.header("Authorization", "Bearer " + secret);
        } else if (secret != null && target.user() != null) {
            byte[] pair = (target.user() + ":" + secret).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        }
        return request.build();
    }

    private URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, "This is no address of a server: " + target.shownUrl(), e);
        }
    }

    private static String encoded(String path) {
        return Arrays.stream(path.split("/", -1)).map(HttpLink::encodedPart).collect(Collectors.joining("/"));
    }

    private static String encodedPart(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String queryText(Map<String, String> query) {
        return query.isEmpty()
                ? ""
                : query.entrySet().stream()
                        .map(e -> encodedPart(e.getKey()) + "=" + encodedPart(e.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    private String problem(IOException e) {
        if (e instanceof HttpTimeoutException) {
            return "The server at %s does not answer in time".formatted(target.shownUrl());
        }
        if (e instanceof ConnectException) {
            return "Nothing answers at %s: is the server running, and is this its address?"
                    .formatted(target.shownUrl());
        }
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "Could not talk to the server at %s: %s".formatted(target.shownUrl(), detail);
    }

    @Override
    public void close() {
        // The client's threads are daemons and end with it; Java 17 has no close.
    }
}
