package dev.postrider.http;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.CloudEventAttributes;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.jspecify.annotations.Nullable;

/** Makes a request from a message: the same one at each attempt, but for credentials and the signature's time. */
final class Requests {

    static final String IDEMPOTENCY_KEY = "idempotency-key";
    static final String AUTHORIZATION = "authorization";
    static final String TYPE = "postrider-type";
    private static final String CONTENT_TYPE = "content-type";
    private static final String CLOUD_EVENTS_PREFIX = "ce-";

    // They steer the connection, speak for somebody, or are ours to set: never for a row to decide.
    private static final Set<String> RESERVED = Set.of(
            AUTHORIZATION,
            "connection",
            "content-length",
            CONTENT_TYPE,
            "cookie",
            "expect",
            "host",
            "http2-settings",
            IDEMPOTENCY_KEY,
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");
    private static final String OWN_PREFIX = "postrider-";
    private static final String SIGNATURE_PREFIX = "webhook-";

    private final String method;
    private final Endpoint endpoint;
    private final URI base;
    private final Map<String, String> fixedHeaders;
    private final Set<String> skippedHeaders;
    private final @Nullable Supplier<String> authorization;
    private final @Nullable URI cloudEventSource;
    private final @Nullable Signature signature;
    private final Clock clock;

    Requests(HttpPublisherBuilder builder) {
        this.method = builder.method;
        this.endpoint = builder.endpoint;
        this.base = URI.create(endpoint.toString());
        this.fixedHeaders = Map.copyOf(builder.fixedHeaders);
        this.skippedHeaders = Set.copyOf(builder.skippedHeaders);
        this.authorization = builder.authorization;
        this.cloudEventSource = builder.cloudEventSource;
        this.signature = builder.signature;
        this.clock = builder.clock;
    }

    /** Whether a header belongs to the publisher or to the connection. */
    static boolean isReserved(String name) {
        String lower = HeaderText.lower(name);
        return RESERVED.contains(lower) || lower.startsWith(OWN_PREFIX);
    }

    /**
     * Returns the request for a message.
     *
     * @throws IllegalArgumentException if the message cannot be written as a request, free of its values
     * @throws CredentialsException if the supplier of the authorization has none
     */
    HttpUriRequestBase of(ClaimedMessage claimed) {
        OutboxMessage message = claimed.message();
        byte[] body = message.payload();
        HttpUriRequestBase request = new HttpUriRequestBase(method, base);
        request.setPath(endpoint.target(message));
        headers(claimed).forEach(request::setHeader);
        if (signature != null) {
            long now = clock.instant().getEpochSecond();
            signature.headers(message.id().toString(), now, body).forEach(request::setHeader);
        }
        if (authorization != null) {
            request.setHeader(AUTHORIZATION, credentials(authorization));
        }
        request.setEntity(new Payload(body));
        return request;
    }

    // Sorted, because the order of a message's headers differs from one JVM to the next.
    private Map<String, String> headers(ClaimedMessage claimed) {
        OutboxMessage message = claimed.message();
        Map<String, String> headers = new TreeMap<>();
        message.headers().forEach((name, value) -> addOwn(headers, name, value));
        headers.putAll(fixedHeaders);
        headers.put(CONTENT_TYPE, HeaderText.plain(message.contentType()));
        headers.put(IDEMPOTENCY_KEY, message.id().toString());
        MessageHeaders.of(claimed, base.toString())
                .forEach((name, value) -> headers.put(name, HeaderText.exact(value)));
        headers.put(TYPE, HeaderText.exact(message.type()));
        message.key().ifPresent(key -> headers.put(MessageHeaders.KEY, HeaderText.exact(key)));
        if (cloudEventSource != null) {
            CloudEventAttributes.of(message, cloudEventSource)
                    .forEach((name, value) -> headers.put(CLOUD_EVENTS_PREFIX + name, HeaderText.exact(value)));
        }
        return headers;
    }

    private void addOwn(Map<String, String> headers, String name, String value) {
        String lower = HeaderText.lower(name);
        if (skippedHeaders.contains(lower)) {
            return;
        }
        if (!HeaderText.isName(name)) {
            throw unsendable(name, "is not a name HTTP can carry");
        }
        if (isReserved(lower) || fixedHeaders.containsKey(lower) || isOfAnOption(lower)) {
            throw unsendable(name, "is not for a message to set");
        }
        if (headers.put(lower, HeaderText.plain(value)) != null) {
            throw unsendable(name, "is there twice, in upper and lower case");
        }
    }

    private boolean isOfAnOption(String name) {
        return (signature != null && name.startsWith(SIGNATURE_PREFIX))
                || (cloudEventSource != null && name.startsWith(CLOUD_EVENTS_PREFIX));
    }

    private static IllegalArgumentException unsendable(String name, String why) {
        return new IllegalArgumentException(
                "The message's header '%s' %s; skipHeaders leaves it out".formatted(ErrorText.clean(name), why));
    }

    private static String credentials(Supplier<String> supplier) {
        String credentials;
        try {
            credentials = supplier.get();
        } catch (RuntimeException | Error e) {
            throw new CredentialsException("The supplier of the authorization failed with a "
                    + e.getClass().getSimpleName());
        }
        if (credentials == null || !credentials.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new CredentialsException("The supplier of the authorization gave nothing, or not printable ASCII");
        }
        return credentials;
    }

    /** There are no credentials now. Its text holds nothing of them. */
    static final class CredentialsException extends RuntimeException {

        CredentialsException(String message) {
            super(message);
        }
    }
}
