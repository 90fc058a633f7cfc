package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxMessageTest {

    @Test
    void anIdIsAUuidOfVersionSevenThatCarriesTheTime() {
        Instant time = Instant.parse("2026-01-02T03:04:05.678Z");

        UUID id = MessageIds.timeOrdered(Clock.fixed(time, ZoneOffset.UTC));

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(time.toEpochMilli());
    }

    @Test
    void idsOfOneMillisecondDiffer() {
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

        assertThat(MessageIds.timeOrdered(clock)).isNotEqualTo(MessageIds.timeOrdered(clock));
    }

    @Test
    @Tag("R1.5")
    void messagesWithOneDedupeKeyHaveOneId() {
        OutboxMessage first =
                OutboxMessage.to("orders", "placed").dedupeKey("req-1").build();
        OutboxMessage second =
                OutboxMessage.to("orders", "placed").dedupeKey("req-1").build();
        OutboxMessage elsewhere =
                OutboxMessage.to("billing", "placed").dedupeKey("req-1").build();

        assertThat(first.id()).isEqualTo(second.id()).isNotEqualTo(elsewhere.id());
        assertThat(first.id().version()).isEqualTo(8);
    }

    @Test
    void theSplitBetweenTopicAndDedupeKeyIsPartOfTheId() {
        assertThat(MessageIds.ofDedupeKey("n", "ab", "c")).isNotEqualTo(MessageIds.ofDedupeKey("n", "a", "bc"));
    }

    @Test
    void anIdBesideADedupeKeyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxMessage.to("orders", "placed")
                        .id(UUID.randomUUID())
                        .dedupeKey("req-1")
                        .build())
                .withMessageContaining("req-1");
    }

    @Test
    void thePayloadMayContainTheIdOfItsMessage() {
        OutboxMessage.Builder builder = OutboxMessage.to("orders", "placed");
        OutboxMessage message =
                builder.payload("{\"eventId\": \"%s\"}".formatted(builder.id())).build();

        assertThat(message.id().version()).isEqualTo(7);
        assertThat(new String(message.payload(), StandardCharsets.UTF_8))
                .contains(message.id().toString());
    }

    @Test
    @Tag("R1.5")
    void theIdOfADedupeKeyIsKnownBeforeThePayload() {
        OutboxMessage.Builder builder =
                OutboxMessage.to("orders", "placed").namespace("shop").dedupeKey("req-1");

        UUID id = builder.id();

        assertThat(id).isEqualTo(MessageIds.ofDedupeKey("shop", "orders", "req-1"));
        assertThat(builder.build().id()).isEqualTo(id);
    }

    @Test
    void anEventMadeBeforeItsMessageGivesItItsId() {
        UUID eventId = OutboxMessage.newId();

        OutboxMessage message = OutboxMessage.to("orders", "placed").id(eventId).build();

        assertThat(eventId.version()).isEqualTo(7);
        assertThat(message.id()).isEqualTo(eventId);
        assertThat(OutboxMessage.newId()).isNotEqualTo(eventId);
    }

    @Test
    void anIdThatIsNoLongerTheMessagesIsRefused() {
        OutboxMessage.Builder late = OutboxMessage.to("orders", "placed");
        UUID told = late.id();
        OutboxMessage.Builder moved = OutboxMessage.to("orders", "placed").dedupeKey("req-1");
        moved.id();
        OutboxMessage.Builder bared = OutboxMessage.to("orders", "placed").dedupeKey("req-1");
        bared.id();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> late.dedupeKey("req-1").build())
                .withMessageContaining("id() returned " + told);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> moved.namespace("shop").build())
                .withMessageContaining("namespace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bared.dedupeKey(null).build());
    }

    @Test
    void theNilIdIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        OutboxMessage.to("orders", "placed").id(new UUID(0, 0)).build())
                .withMessageContaining("nil");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\u0000b", "a\nb", "\u001b[31m", "\ud800"})
    @Tag("B7")
    void aBadTopicIsRefusedByName(String topic) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxMessage.to(topic, "placed").build())
                .withMessageStartingWith("topic");
    }

    @Test
    void aHeaderWithALineBreakIsRefusedAndNotEchoedRaw() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxMessage.to("orders", "placed")
                        .header("trace", "a\r\nX-Evil: 1")
                        .build())
                .withMessageContaining("header 'trace'")
                .withMessageContaining("\\u000d")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\r"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "Type", "content-type", "Content-Type", "postrider-seq", "Postrider-Anything"})
    void aHeaderThatPublishersWriteIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxMessage.to("orders", "placed")
                        .header(name, "mine")
                        .build())
                .withMessageContaining("header name '" + name + "' is reserved");
    }

    @Test
    void aLongKeyIsRefusedWithItsLength() {
        String key = "k".repeat(251);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxMessage.to("orders", "placed").key(key).build())
                .withMessageContaining("at most 250 characters but has 251");
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        OutboxMessage.Builder message = OutboxMessage.to("orders", "placed");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> message.version(0).build())
                .withMessageContaining("0");
        message.version(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> message.maxAttempts(0).build())
                .withMessageContaining("maxAttempts");
        message.maxAttempts(null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> message.deliverAfter(Duration.ofSeconds(-1)).build())
                .withMessageContaining("PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> message.deliverAfter(Duration.ofDays(100_000).plusNanos(1))
                        .build())
                .withMessageContaining("at most 100000 days");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        message.deliverAfter(Duration.ofSeconds(Long.MAX_VALUE)).build())
                .withMessageContaining("deliverAfter");
    }

    @Test
    void thePayloadCannotBeChangedFromOutside() {
        byte[] bytes = {1, 2, 3};
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").payload(bytes).build();

        bytes[0] = 9;
        Arrays.fill(message.payload(), (byte) 7);

        assertThat(message.payload()).containsExactly(1, 2, 3);
    }

    @Test
    void thePayloadIsNotInTheText() {
        assertThat(OutboxMessage.to("orders", "placed").payload("secret").build())
                .asString()
                .doesNotContain("secret")
                .contains("orders");
    }

    @Test
    void limitsNameTheMessageAndTheSize() {
        MessageLimits limits = new MessageLimits(10, 1, 20);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.check(OutboxMessage.to("orders", "placed")
                        .payload(new byte[11])
                        .build()))
                .withMessageContaining("11 payload bytes")
                .withMessageContaining("at most 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.check(OutboxMessage.to("orders", "placed")
                        .headers(Map.of("a", "1", "b", "2"))
                        .build()))
                .withMessageContaining("2 headers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.check(OutboxMessage.to("orders", "placed")
                        .header("name", "ü".repeat(10))
                        .build()))
                .withMessageContaining("24 header bytes");
    }

    @Test
    void theLargestAllowedMessagePasses() {
        MessageLimits.defaults()
                .check(OutboxMessage.to("orders", "placed")
                        .payload(new byte[1_000_000])
                        .build());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageLimits.defaults()
                        .check(OutboxMessage.to("orders", "placed")
                                .payload(new byte[1_000_001])
                                .build()))
                .withMessageContaining("1000001 payload bytes but at most 1000000");
        assertThat(MessageLimits.defaults().withMaxPayloadBytes(5).maxPayloadBytes())
                .isEqualTo(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MessageLimits(17 * 1024 * 1024, 1, 1))
                .withMessageContaining("maxPayloadBytes");
    }

    @Test
    @Tag("R1.6")
    void aDedupeKeyMustBeginWithItsTenant() {
        OutboxMessage foreign = OutboxMessage.to("usage", "used")
                .tenant("acme")
                .dedupeKey("acmecorp/1")
                .build();
        OutboxMessage own = OutboxMessage.to("usage", "used")
                .tenant("acme")
                .dedupeKey("acme/1")
                .build();
        OutboxMessage none = OutboxMessage.to("usage", "used").tenant("acme").build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT.check(foreign))
                .withMessageContaining("acmecorp/1")
                .withMessageContaining("'acme/'");
        TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT.check(own);
        TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT.check(none);
        TenantPolicy.ANY.check(foreign);
    }
}
