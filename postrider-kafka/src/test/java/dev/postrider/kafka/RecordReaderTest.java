package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Shards;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a record becomes whose headers anybody may have written. */
@Tag("R0.7")
final class RecordReaderTest {

    private final RecordReader reader = new RecordReader(unidentified -> null);

    @Test
    void ownIdAndTypeComeBeforeForwardedOnesOfAnUpstreamEvent() {
        OutboxMessage message = OutboxMessage.to("invoices", "InvoiceMade")
                .header("ce_id", "upstream-1")
                .header("ce_type", "OrderPlaced")
                .payload("{}")
                .build();
        ProducerRecord<byte[], byte[]> sent = new Records(NameTemplate.of("{topic}"), null)
                .of(new ClaimedMessage(1, 1, "relay", Shards.of(message), 1, false, 0, false, null, message));

        ReceivedMessage received = reader.read(record(sent.headers()));

        assertThat(received.id()).hasValue(message.id().toString());
        assertThat(received.type()).hasValue("InvoiceMade");
    }

    @Test
    void cloudEventOfAnotherProducerKeepsItsIdAndType() {
        ReceivedMessage received = read(Map.of("ce_id", "event-1", "ce_type", "OrderPlaced"));

        assertThat(received.id()).hasValue("event-1");
        assertThat(received.type()).hasValue("OrderPlaced");
    }

    @Test
    void emptyHeaderCountsAsMissing() {
        ReceivedMessage received = read(Map.of("id", "", "ce_id", "event-1", "postrider-topic", ""));

        assertThat(received.id()).hasValue("event-1");
        assertThat(received.topic()).isEqualTo("records");
    }

    @ParameterizedTest
    @ValueSource(strings = {"or\0ders", "or\nders", "or\uFFFDders"})
    void topicThatIsMalformedLeavesTheMessageInKafkasOwnTopicWithoutASequence(String malformed) {
        ReceivedMessage received = read(Map.of("postrider-topic", malformed, "postrider-seq", "7"));

        assertThat(received.topic()).isEqualTo("records");
        assertThat(received.sequence()).isEmpty();
    }

    @Test
    void topicThatIsTooLongLeavesTheMessageInKafkasOwnTopicWithoutASequence() {
        ReceivedMessage received = read(Map.of("postrider-topic", "x".repeat(256), "postrider-seq", "7"));

        assertThat(received.topic()).isEqualTo("records");
        assertThat(received.sequence()).isEmpty();
    }

    @Test
    void extractorThatOverflowsTheStackGivesNoId() {
        RecordReader deep = new RecordReader(RecordReaderTest::endless);

        assertThat(deep.read(record(Map.of())).id()).isEmpty();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static @Nullable String endless(ConsumerRecord<byte[], byte[]> received) {
        return endless(received) + MessageHeaders.ID;
    }

    private ReceivedMessage read(Map<String, String> headers) {
        return reader.read(record(headers));
    }

    private static ConsumerRecord<byte[], byte[]> record(Map<String, String> headers) {
        ConsumerRecord<byte[], byte[]> made = new ConsumerRecord<>("records", 0, 0, new byte[0], new byte[0]);
        headers.forEach((name, value) -> made.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return made;
    }

    private static ConsumerRecord<byte[], byte[]> record(Iterable<Header> headers) {
        ConsumerRecord<byte[], byte[]> made = new ConsumerRecord<>("records", 0, 0, new byte[0], new byte[0]);
        headers.forEach(made.headers()::add);
        return made;
    }
}
