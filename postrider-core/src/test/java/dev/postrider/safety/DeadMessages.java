package dev.postrider.safety;

import dev.postrider.OutboxMessage;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** Dead messages for tests, with every field or with as few as possible. */
final class DeadMessages {

    static final String RELAY = "relay-0000002a";

    private DeadMessages() {}

    static DeadMessage full(int number, byte[] payload) {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced")
                .id(new UUID(42, number))
                .namespace("shop")
                .key("key ü 😀 " + number)
                .version(7)
                .tenant("acme")
                .dedupeKey("acme:" + number)
                .header("h1", "v1")
                .header("ä", "ö\n")
                .contentType("application/octet-stream")
                .maxAttempts(3)
                .payload(payload)
                .restore();
        return new DeadMessage(
                message,
                1_000L + number,
                3,
                "broker said no",
                true,
                "changed",
                Instant.parse("2026-01-02T03:04:05.678901Z"),
                RELAY);
    }

    static DeadMessage least(int number) {
        OutboxMessage message =
                OutboxMessage.to("t", "T").id(new UUID(43, number)).restore();
        return new DeadMessage(message, number, 1, "", false, null, Instant.EPOCH, RELAY);
    }

    static DeadMessage random(int number, Random random) {
        byte[] payload = new byte[random.nextInt(60)];
        random.nextBytes(payload);
        return full(number, payload);
    }
}
