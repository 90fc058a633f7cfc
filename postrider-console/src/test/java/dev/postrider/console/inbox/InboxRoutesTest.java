package dev.postrider.console.inbox;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class InboxRoutesTest {

    private static final Map<String, String> BILLING = Map.of("consumer", "billing");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void parkedMessageIsReleasedOrDiscarded(Kind kind) {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            Inbox inbox = console.postrider().inbox().parkAfter(1).build();
            receive(inbox, "billing", "m-1", true);
            receive(inbox, "billing", "m-2", true);
            receive(inbox, "audit", "m-1", false);

            JsonNode parked = console.read("/inbox/parked", BILLING);
            JsonNode released = json(console.post(
                    "/inbox/release", "{\"consumer\":\"billing\",\"ids\":[\"m-1\",\"x\"],\"reason\":\"mended\"}"));
            JsonNode discarded = json(console.post(
                    "/inbox/discard", "{\"consumer\":\"billing\",\"ids\":[\"m-2\"],\"reason\":\"obsolete\"}"));

            assertThat(console.read("/inbox/consumers").toString())
                    .isEqualTo("{\"available\":true,\"items\":[\"audit\",\"billing\"]}");
            assertThat(parked.get("items").size()).isEqualTo(2);
            assertThat(parked.get("items").get(0).get("messageId").asString()).isEqualTo("m-1");
            assertThat(parked.get("items").get(0).get("reason").asString()).isEqualTo("FAILED");
            assertThat(parked.get("items").get(0).get("payloadBytes").intValue())
                    .isEqualTo(2);
            assertThat(released.toString()).isEqualTo("{\"asked\":2,\"done\":1}");
            assertThat(discarded.toString()).isEqualTo("{\"asked\":1,\"done\":1}");
            assertThat(state(console, "billing", "m-1")).isEqualTo("RELEASED");
            assertThat(state(console, "billing", "m-2")).isEqualTo("DISCARDED");
            assertThat(state(console, "audit", "m-1")).isEqualTo("PROCESSED");
            assertThat(console.get("/inbox/lookup", Map.of("consumer", "audit", "id", "m-9"))
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void missingTablesAreAnAnswer() {
        try (ConsoleUnderTest console = ConsoleUnderTest.empty(Kind.H2, source -> {})) {
            assertThat(console.read("/inbox/consumers").toString()).isEqualTo("{\"available\":false}");
            assertThat(console.read("/inbox/parked", BILLING).toString()).isEqualTo("{\"available\":false}");
        }
    }

    private static String state(ConsoleUnderTest console, String consumer, String id) {
        return console.read("/inbox/lookup", Map.of("consumer", consumer, "id", id))
                .get("state")
                .asString();
    }

    private static void receive(Inbox inbox, String consumer, String id, boolean fails) {
        ReceivedMessage message = ReceivedMessage.from("orders")
                .id(id)
                .payload("{}".getBytes(StandardCharsets.UTF_8))
                .build();
        try {
            inbox.process(message, consumer, transaction -> {
                if (fails) {
                    throw new IllegalStateException("broken");
                }
                return "done";
            });
        } catch (InboxException e) {
            assertThat(e).hasMessageContaining(id);
        }
    }
}
