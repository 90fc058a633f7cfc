package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Shards;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MessageHeadersTest {

    @Tag("R1.17")
    @Test
    void tenantAndDedupeKeyGoWithTheMessageIfItHasThem() {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced")
                .namespace("shop")
                .version(3)
                .tenant("acme")
                .dedupeKey("order-42")
                .build();

        assertThat(MessageHeaders.of(claimed(message), "shop.orders"))
                .isEqualTo(Map.of(
                        "postrider-namespace", "shop",
                        "postrider-topic", "orders",
                        "postrider-version", "3",
                        "postrider-seq", "17",
                        "postrider-tenant", "acme",
                        "postrider-dedupe-key", "order-42"));
    }

    @Test
    void whatSaysTheUsualIsLeftOut() {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced").build();

        assertThat(MessageHeaders.of(claimed(message), "orders")).isEqualTo(Map.of("postrider-seq", "17"));
    }

    @Tag("B7")
    @Test
    void aCloudEventTellsTheTimeThatItsIdTells() {
        OutboxMessage timed = OutboxMessage.to("orders", "OrderPlaced")
                .id(UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"))
                .key("42")
                .build();
        OutboxMessage untimed =
                OutboxMessage.to("orders", "OrderPlaced").dedupeKey("order-42").build();

        assertThat(CloudEventAttributes.of(timed, URI.create("/shop")))
                .isEqualTo(Map.of(
                        "specversion", "1.0",
                        "id", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                        "source", "/shop",
                        "type", "OrderPlaced",
                        "subject", "42",
                        "time", "2022-02-22T19:22:22Z"));
        assertThat(CloudEventAttributes.of(untimed, URI.create("/shop"))).doesNotContainKeys("time", "subject");
    }

    private static ClaimedMessage claimed(OutboxMessage message) {
        return new ClaimedMessage(17, 1, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }
}
