package dev.postrider.http;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.testkit.PublisherContract;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("R1.17")
final class HttpPublisherContractTest extends PublisherContract {

    private static final int LIMIT = 100_000;

    private final List<Received> taken = new CopyOnWriteArrayList<>();
    private Receiver receiver;
    private HttpPublisher publisher;

    @BeforeEach
    void open() throws IOException {
        receiver = Receiver.that((request, connection) -> {
            if (request.body().length() > LIMIT) {
                connection.respond(413);
                return;
            }
            taken.add(request);
            connection.respond(202);
        });
        publisher = receiver.publisher("/hooks/{topic}").build();
    }

    @AfterEach
    void closeBoth() {
        publisher.close();
        receiver.close();
    }

    @Override
    protected MessagePublisher publisher() {
        return publisher;
    }

    @Override
    protected String topic() {
        return "orders";
    }

    @Override
    protected List<OutboxMessage> arrived() {
        return taken.stream()
                .filter(request -> request.target().equals("/hooks/orders"))
                .map(HttpPublisherContractTest::message)
                .toList();
    }

    private static OutboxMessage message(Received request) {
        Map<String, String> headers = request.headers();
        String key = headers.get(MessageHeaders.KEY);
        return OutboxMessage.to("orders", request.header("postrider-type"))
                .id(UUID.fromString(request.header("idempotency-key")))
                .key(key == null ? null : percentDecoded(key))
                .headers(headers)
                .payload(request.body().getBytes(StandardCharsets.ISO_8859_1))
                .restore();
    }

    @Override
    protected String decoded(String headerValue) {
        return percentDecoded(headerValue);
    }

    // The decoder is made for forms, in which a plus is a space.
    private static String percentDecoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(
                OutboxMessage.to("orders", "Large").payload(new byte[LIMIT + 1]).build());
    }
}
