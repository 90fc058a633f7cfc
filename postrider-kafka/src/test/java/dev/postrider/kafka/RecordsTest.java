package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RecordsTest {

    private static final NameTemplate TOPIC = NameTemplate.of("{topic}");
    private static final UUID ID = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    @Test
    @Tag("R1.17")
    @Tag("R3.8")
    void aMessageKeepsItsKeyBytesAndHeaders() {
        ProducerRecord<byte[], byte[]> made = new Records(TOPIC, null)
                .of(claimed(OutboxMessage.to("orders", "OrderPlaced")
                        .id(ID)
                        .key("Größe 42")
                        .version(3)
                        .tenant("acme")
                        .contentType("application/avro")
                        .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                        .header("note", "ä")
                        .payload(new byte[] {0, -1, 2})
                        .build()));

        assertThat(made.topic()).isEqualTo("orders");
        assertThat(made.key()).isEqualTo("Größe 42".getBytes(StandardCharsets.UTF_8));
        assertThat(made.value()).containsExactly(0, -1, 2);
        assertThat(headers(made))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "content-type", "application/avro",
                        "id", ID.toString(),
                        "note", "ä",
                        "postrider-seq", "7",
                        "postrider-tenant", "acme",
                        "postrider-version", "3",
                        "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                        "type", "OrderPlaced"));
    }

    @Test
    @Tag("R1.17")
    void theDedupeKeyIsAHeader() {
        OutboxMessage message =
                OutboxMessage.to("orders", "OrderPlaced").dedupeKey("request-9").build();

        assertThat(headers(new Records(TOPIC, null).of(claimed(message))))
                .containsEntry("postrider-dedupe-key", "request-9")
                .containsEntry("id", message.id().toString());
    }

    @Test
    void aMessageWithoutAKeyHasNone() {
        assertThat(new Records(TOPIC, null).of(claimed(plain().build())).key()).isNull();
    }

    @Test
    void ourHeadersWinOverThoseOfAForeignRow() {
        OutboxMessage row = plain().id(ID)
                .header("id", "forged")
                .header("content-type", "text/html")
                .header("postrider-seq", "1")
                .restore();

        assertThat(headers(new Records(TOPIC, null).of(claimed(row))))
                .containsEntry("id", ID.toString())
                .containsEntry("content-type", "application/json")
                .containsEntry("postrider-seq", "7");
    }

    @Test
    void aRepeatedMessageIsTheSameToTheByte() {
        OutboxMessage.Builder builder = plain().id(ID);
        for (int i = 0; i < 30; i++) {
            builder.header("header-" + i, "value");
        }
        Records records = new Records(TOPIC, URI.create("/orders"));
        ClaimedMessage first = claimed(builder.build());
        ClaimedMessage second = new ClaimedMessage(7, 99, "relay", 3, 5, true, 1, false, null, builder.build());

        assertThat(records.of(second).headers()).isEqualTo(records.of(first).headers());
        assertThat(records.of(second).value()).isEqualTo(records.of(first).value());
        assertThat(List.copyOf(headers(records.of(first)).keySet())).isSorted();
    }

    @Test
    void aCloudEventHasItsAttributesBesides() {
        OutboxMessage message =
                plain().id(ID).key("42").header("ce_id", "forged").restore();

        assertThat(headers(new Records(TOPIC, URI.create("/orders")).of(claimed(message))))
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_id", ID.toString())
                .containsEntry("ce_source", "/orders")
                .containsEntry("ce_type", "OrderPlaced")
                .containsEntry("ce_subject", "42")
                .containsEntry("ce_time", "2023-06-30T03:34:18.518Z")
                .containsEntry("content-type", "application/json");
    }

    @Test
    void theTopicComesFromTheTemplate() {
        Records records = new Records(NameTemplate.of("{tenant}.{topic}"), null);

        assertThat(records.of(claimed(plain().tenant("acme").build())).topic()).isEqualTo("acme.orders");
        assertThatThrownBy(() -> records.of(claimed(plain().build()))).hasMessageContaining("needs a tenant");
    }

    private static OutboxMessage.Builder plain() {
        return OutboxMessage.to("orders", "OrderPlaced");
    }

    private static ClaimedMessage claimed(OutboxMessage message) {
        return new ClaimedMessage(7, 1, "relay", 3, 1, false, 0, false, null, message);
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> made) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Header header : made.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return headers;
    }
}
