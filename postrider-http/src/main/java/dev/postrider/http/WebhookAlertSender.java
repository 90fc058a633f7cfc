package dev.postrider.http;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.alert.Alert;
import dev.postrider.alert.AlertSender;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/**
 * Posts alerts to a webhook of Discord, of Slack, or of anybody who takes JSON. Sent as carefully as a message: no
 * redirect, no internal address, a bounded time, and 2xx is the only yes. The URL is a secret and appears nowhere.
 * Thread-safe.
 */
public final class WebhookAlertSender implements AlertSender, AutoCloseable {

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(30);
    private static final Duration SLACK_TIME = Duration.ofSeconds(5);

    private final HttpPublisher publisher;
    private final Function<Alert, String> text;
    private final Duration patience;

    private WebhookAlertSender(Builder builder) {
        this.publisher = builder.http.build();
        this.text = builder.text();
        this.patience = builder.http.timeout.plus(SLACK_TIME);
    }

    /**
     * Starts configuring a sender to a Discord webhook.
     *
     * @throws IllegalArgumentException if it is not a URL, without the URL in the message
     */
    public static Builder discord(String url) {
        return new Builder(url, Kind.DISCORD);
    }

    /** Starts configuring a sender to a Slack webhook, or to a receiver that takes the same. */
    public static Builder slack(String url) {
        return new Builder(url, Kind.SLACK);
    }

    /** Starts configuring a sender of a flat JSON object: source, name, severity, state, summary, at, and details. */
    public static Builder json(String url) {
        return new Builder(url, Kind.JSON);
    }

    /**
     * Posts the alert; once more if the receiver asks to be asked later.
     *
     * @throws OutboxException if it was not taken
     */
    @Override
    public void send(Alert alert) {
        byte[] body = text.apply(alert).getBytes(StandardCharsets.UTF_8);
        try {
            PublishResult result = post(body);
            if (isAskedToWait(result)) {
                TimeUnit.NANOSECONDS.sleep(result.retryAfter().toNanos());
                result = post(body);
            }
            if (result.kind() != PublishResult.Kind.ACKED) {
                throw new OutboxException("The alert was not taken: " + result.error());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException("Interrupted; the alert may not have been sent", e);
        }
    }

    private static boolean isAskedToWait(PublishResult result) {
        return result.kind() != PublishResult.Kind.ACKED
                && !result.retryAfter().isZero()
                && result.retryAfter().compareTo(LONGEST_RETRY_AFTER) <= 0;
    }

    private PublishResult post(byte[] body) throws InterruptedException {
        OutboxMessage message =
                OutboxMessage.to("alerts", "alert").payload(body).build();
        CompletableFuture<PublishResult> answer = new CompletableFuture<>();
        ClaimedMessage alert =
                new ClaimedMessage(0, 0, "alerts", Shards.of(message), 1, false, 0, false, null, message);
        publisher.publish(List.of(alert), (claimed, result) -> answer.complete(result));
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new OutboxException("The alert has no answer from " + publisher, e);
        }
    }

    /** Closes the connection. */
    @Override
    public void close() {
        publisher.close();
    }

    /** Names scheme, host and port; the path of a webhook is its password. */
    @Override
    public String toString() {
        return "WebhookAlertSender[%s]".formatted(publisher);
    }

    private enum Kind {
        DISCORD,
        SLACK,
        JSON
    }

    /** Collects the parts of a {@link WebhookAlertSender}. Not thread-safe. */
    public static final class Builder {

        private final HttpPublisherBuilder http;
        private final Kind kind;
        private String username = "Postrider";

        private Builder(String url, Kind kind) {
            if (url.indexOf('{') >= 0 || url.indexOf('}') >= 0) {
                throw new IllegalArgumentException("The URL of a webhook has no placeholders");
            }
            // Every alert is tried: the circuit of a publisher is for thousands of messages.
            this.http = HttpPublisher.builder(url)
                    .timeout(Duration.ofSeconds(10))
                    .maxConcurrent(1)
                    .circuit(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofSeconds(1));
            this.kind = kind;
        }

        /** Who the alert comes from, as Discord shows it: 1 to 80 characters. Default {@code Postrider}. */
        public Builder username(String name) {
            if (name.isBlank() || name.length() > 80) {
                throw new IllegalArgumentException(
                        "username must have 1 to 80 characters but had %d".formatted(name.length()));
            }
            this.username = name;
            return this;
        }

        /** How long one request may take from beginning to end. Default 10 s. */
        public Builder timeout(Duration duration) {
            http.timeout(duration);
            return this;
        }

        /** Lets the URL be {@code http}, where everybody on the way can read the alert and the URL. Default off. */
        public Builder allowPlaintext(boolean allowed) {
            http.allowPlaintext(allowed);
            return this;
        }

        /** Lets the URL have this port. Default only 80 and 443. */
        public Builder allowPort(int port) {
            http.allowPort(port);
            return this;
        }

        /** Lets the host have addresses in these ranges, though they are not public. Default none. */
        public Builder allowAddresses(String... ranges) {
            http.allowAddresses(ranges);
            return this;
        }

        /** Lets this host have a loopback or private address. Default none. */
        public Builder allowHost(String host) {
            http.allowHost(host);
            return this;
        }

        /** Brings trusted certificates and the client's own. Default those of the JVM. */
        public Builder sslContext(SSLContext context) {
            http.sslContext(context);
            return this;
        }

        /** Builds the sender; it connects with the first alert. */
        public WebhookAlertSender build() {
            return new WebhookAlertSender(this);
        }

        private Function<Alert, String> text() {
            String name = username;
            return switch (kind) {
                case DISCORD -> alert -> AlertText.discord(alert, name);
                case SLACK -> AlertText::slack;
                case JSON -> AlertText::json;
            };
        }
    }
}
