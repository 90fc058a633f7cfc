package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a delivery becomes whose headers anybody may have written. */
@Tag("R0.7")
final class DeliveryReaderTest {

    private final DeliveryReader reader = new DeliveryReader("queue", unidentified -> null);

    @Test
    void messageIdComesBeforeEveryHeader() {
        Map<String, Object> headers = Map.of("id", "a", "cloudEvents:id", "b", "ce_id", "c");

        assertThat(read("exchange", properties(headers).messageId("own").build())
                        .id())
                .hasValue("own");
    }

    @Test
    void ownIdHeaderComesBeforeForwardedOnesOfAnUpstreamEvent() {
        assertThat(read(Map.of("id", "own", "cloudEvents:id", "upstream-1", "ce_id", "upstream-2"))
                        .id())
                .hasValue("own");
        assertThat(read(Map.of("cloudEvents:id", "upstream-1", "ce_id", "upstream-2"))
                        .id())
                .hasValue("upstream-1");
        assertThat(read(Map.of("id", "", "ce_id", "upstream-2")).id()).hasValue("upstream-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"or\0ders", "or\nders", "or\uFFFDders"})
    void topicThatIsMalformedLeavesTheMessageInItsExchangeWithoutASequence(String malformed) {
        ReceivedMessage received = read(Map.of("postrider-topic", malformed, "postrider-seq", "7"));

        assertThat(received.topic()).isEqualTo("exchange");
        assertThat(received.sequence()).isEmpty();
    }

    @Test
    void topicThatIsTooLongLeavesTheMessageInItsExchangeWithoutASequence() {
        ReceivedMessage received = read(Map.of("postrider-topic", "x".repeat(256), "postrider-seq", "7"));

        assertThat(received.topic()).isEqualTo("exchange");
        assertThat(received.sequence()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ex\0change"})
    void exchangeThatNamesNoTopicLeavesTheMessageInItsQueue(String exchange) {
        assertThat(read(exchange, properties(Map.of()).build()).topic()).isEqualTo("queue");
    }

    @Test
    void extractorThatOverflowsTheStackGivesNoId() {
        DeliveryReader deep = new DeliveryReader("queue", DeliveryReaderTest::endless);

        assertThat(deep.read(received("", properties(Map.of()).build())).id()).isEmpty();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static @Nullable String endless(Delivery delivery) {
        return endless(delivery) + MessageHeaders.ID;
    }

    private ReceivedMessage read(Map<String, Object> headers) {
        return read("exchange", properties(headers).build());
    }

    private ReceivedMessage read(String exchange, BasicProperties properties) {
        return reader.read(received(exchange, properties));
    }

    private static BasicProperties.Builder properties(Map<String, Object> headers) {
        return new BasicProperties.Builder().headers(headers);
    }

    private static Received received(String exchange, BasicProperties properties) {
        return new Received(
                new Delivery(new Envelope(1, false, exchange, "routing-key"), properties, new byte[0]),
                System.nanoTime());
    }
}
