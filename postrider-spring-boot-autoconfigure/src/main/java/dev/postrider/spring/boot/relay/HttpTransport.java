package dev.postrider.spring.boot.relay;

import dev.postrider.http.HttpPublisher;
import dev.postrider.http.HttpPublisherBuilder;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;
import dev.postrider.spring.boot.internal.SettingsException;
import java.net.URI;
import java.util.regex.Pattern;

/** Sends each message as a request to an endpoint. */
final class HttpTransport implements Transport {

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    private final boolean allowPlaintext;
    private final boolean allowPrivate;

    HttpTransport(PostriderProperties.Relay settings) {
        this.allowPlaintext = settings.allowPlaintext();
        this.allowPrivate = settings.allowPrivate();
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        String url = settings.url();
        if (url == null) {
            throw new PublisherException(
                    "A topic with publisher http has no endpoint",
                    "Set postrider.topics.<topic>.url, for example to https://shop.example/hooks");
        }
        return SettingsException.checked(
                () -> publisher(url),
                "The endpoint of a topic cannot be used",
                "Correct the url under postrider.topics; postrider.relay.allow-plaintext and allow-private lift"
                        + " restrictions");
    }

    // The endpoint is written in the settings, so its port was meant, and so was this machine.
    private MessagePublisher publisher(String url) {
        // Names in braces stand for parts of the message.
        URI endpoint = URI.create(url.replaceAll("\\{[^}]*}", "x"));
        String host = endpoint.getHost() == null ? "" : endpoint.getHost();
        boolean loopback = LOOPBACK.matcher(host).matches();
        HttpPublisherBuilder builder = HttpPublisher.builder(url).allowPlaintext(allowPlaintext || loopback);
        if (endpoint.getPort() > 0) {
            builder.allowPort(endpoint.getPort());
        }
        if (loopback || (allowPrivate && !host.isEmpty())) {
            builder.allowHost(host.replaceAll("[\\[\\]]", ""));
        }
        return builder.build();
    }
}
