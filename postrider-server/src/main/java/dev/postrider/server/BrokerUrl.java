package dev.postrider.server;

import dev.postrider.server.source.StartException;
import java.util.Map;

/** The settings that a broker's URL on the command line stands for. */
final class BrokerUrl {

    private static final String KAFKA = "kafka://";

    private BrokerUrl() {}

    static Map<String, String> settings(String url) {
        if (url.startsWith(KAFKA) && url.length() > KAFKA.length()) {
            return Map.of(
                    "spring.kafka.bootstrap-servers", url.substring(KAFKA.length()), "postrider.publisher", "kafka");
        }
        if (url.startsWith("amqp://") || url.startsWith("amqps://")) {
            return Map.of("spring.rabbitmq.addresses", url, "postrider.publisher", "rabbitmq");
        }
        if (url.startsWith("http://") || url.startsWith("https://")) {
            return Map.of("postrider.topics.[*].url", url);
        }
        throw new StartException(
                StartException.USAGE,
                "--broker must begin with kafka://, amqp://, amqps://, http:// or https://",
                null);
    }
}
