package dev.postrider.spring.boot.relay;

import dev.postrider.http.HttpPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;

/** Sends each message as a request to an endpoint. */
final class HttpTransport implements Transport {

    private final boolean allowPlaintext;

    HttpTransport(boolean allowPlaintext) {
        this.allowPlaintext = allowPlaintext;
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        if (settings.url() == null) {
            throw new PublisherException(
                    "A topic with publisher http has no endpoint",
                    "Set postrider.topics.<topic>.url, for example to https://shop.example/hooks");
        }
        return HttpPublisher.builder(settings.url())
                .allowPlaintext(allowPlaintext)
                .build();
    }
}
