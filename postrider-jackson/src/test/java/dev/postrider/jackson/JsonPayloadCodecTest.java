package dev.postrider.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.postrider.OutboxMessage;
import dev.postrider.jackson.Orders.Card;
import dev.postrider.jackson.Orders.Cash;
import dev.postrider.jackson.Orders.Colour;
import dev.postrider.jackson.Orders.Line;
import dev.postrider.jackson.Orders.Painted;
import dev.postrider.jackson.Orders.Payment;
import dev.postrider.jackson.Orders.Placed;
import dev.postrider.jackson.Orders.Times;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.UnknownPayloadException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects as payloads and back, by registered names only. */
final class JsonPayloadCodecTest {

    private final JsonPayloadCodec codec = JsonPayloadCodec.builder()
            .type(Orders.PLACED, 3, Placed.class)
            .upcast(
                    Orders.PLACED,
                    1,
                    json -> json.put("total", json.get("cents").asInt() / 100))
            .upcast(Orders.PLACED, 2, JsonPayloadCodecTest::withUnknownCard)
            .type("payment", Payment.class)
            .type("times", Times.class)
            .type("painted", Painted.class)
            .build();

    /** An object that contains itself. */
    static final class Loop {

        @SuppressWarnings("UnusedVariable")
        public @Nullable Loop next;
    }

    record Anything(Object value) {}

    record Zoo(String zebra, Animal ape, Map<String, Integer> cages, Set<String> days, Object rest) {}

    record Animal(String name, int age) {}

    record OldName(String text) {}

    record NewName(String text) {}

    record Bag(Map<String, Object> values) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Open {}

    record Opened(int a) implements Open {}

    record WithOpen(
            @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
            Object value) {}

    interface Unsealed {}

    @Test
    void payloadHasOneFormWithSortedKeysAndSets() {
        OutboxMessage message =
                codec.message("orders", Orders.placed()).key("k").build();

        assertThat(text(message)).isEqualTo("""
                {"labels":["abroad","fragile","gift"],\
                "lines":[{"article":"pen","count":2,"weight":0.002}],\
                "note":"ring twice",\
                "orderId":"0198c0de-0000-7000-8000-000000000001",\
                "payment":{"@type":"Card","number":"4711"},\
                "placedAt":"2026-02-03T04:05:06.000000007Z",\
                "points":{"autumn":7,"summer":5},\
                "total":12.50}""");
        assertThat(message.type()).isEqualTo(Orders.PLACED);
        assertThat(message.version()).isEqualTo(3);
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(codec.decode(message, Placed.class)).isEqualTo(Orders.placed());
    }

    @Test
    void declaredOrderKeepsTheOrderOfComponentsAndSortsMapsAndSets() {
        JsonPayloadCodec declared = JsonPayloadCodec.builder()
                .type("zoo", Zoo.class)
                .declaredOrder()
                .build();
        Map<String, Integer> cages = new LinkedHashMap<>();
        cages.put("b", 1);
        cages.put("a", 2);
        ObjectNode rest = JsonNodeFactory.instance.objectNode().put("y", 1).put("x", 2);

        OutboxMessage message = declared.message(
                        "t",
                        new Zoo("z", new Animal("kim", 3), cages, new LinkedHashSet<>(List.of("tue", "mon")), rest))
                .build();

        assertThat(text(message)).isEqualTo("""
                {"zebra":"z","ape":{"name":"kim","age":3},"cages":{"a":2,"b":1},"days":["mon","tue"],\
                "rest":{"x":2,"y":1}}""");
        assertThat(declared.decode(message, Zoo.class).ape()).isEqualTo(new Animal("kim", 3));
    }

    @Test
    @Tag("R2.3")
    void nameOfTheClassIsTheTypeOnlyIfNothingIsRegistered() {
        JsonPayloadCodec named =
                JsonPayloadCodec.builder().type("card", Card.class).classNames().build();

        assertThat(named.message("t", new Card("1")).build().type()).isEqualTo("card");
        assertThat(named.message("t", new OldName("a")).build().type()).isEqualTo(OldName.class.getName());
        assertThatThrownBy(() -> named.message("t", new Object() {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no registered payload");
    }

    @Test
    @Tag("R2.3")
    void messageInFlightIsReadAfterItsClassWasRenamed() {
        OutboxMessage inFlight = JsonPayloadCodec.builder()
                .classNames()
                .build()
                .message("t", new OldName("a"))
                .build();
        JsonPayloadCodec renamed = JsonPayloadCodec.builder()
                .type(OldName.class.getName(), NewName.class)
                .build();

        assertThat(renamed.decode(inFlight, NewName.class)).isEqualTo(new NewName("a"));
        assertThatThrownBy(() -> codec.decode(inFlight, OldName.class)).isInstanceOf(UnknownPayloadException.class);
    }

    @Test
    void equalValuesHaveEqualBytesWhateverTheirSetsAre() {
        List<String> labels = new ArrayList<>(List.of("gift", "fragile", "abroad", "Ä", "z"));
        String first = text(
                codec.message("orders", Orders.placed(new TreeSet<>(labels))).build());
        for (int i = 0; i < 20; i++) {
            Collections.rotate(labels, 1);
            Placed equal = Orders.placed(new LinkedHashSet<>(labels));

            assertThat(text(codec.message("orders", equal).build())).isEqualTo(first);
        }
    }

    @Test
    void setsOfAnythingAreSortedByTheirTexts() {
        Painted painted = new Painted(
                Set.of(Colour.RED, Colour.BLUE),
                Set.of(new Line("b", 1, 1), new Line("a", 1, 1)),
                Set.of(Set.of(3, 2), Set.of(1), Set.of()));

        OutboxMessage message = codec.message("t", painted).build();

        assertThat(text(message)).isEqualTo("""
                {"colours":["BLUE","RED"],"groups":[[1],[2,3],[]],\
                "lines":[{"article":"a","count":1,"weight":1.0},{"article":"b","count":1,"weight":1.0}]}""");
        assertThat(codec.decode(message, Painted.class)).isEqualTo(painted);
    }

    @Test
    void timesKeepTheirPrecisionOffsetAndZone() {
        Times times = new Times(
                LocalDate.parse("2026-02-03"),
                OffsetDateTime.parse("2026-02-03T04:05:06.000000007+02:00"),
                ZonedDateTime.parse("2026-02-03T04:05:06+01:00[Europe/Paris]"),
                Duration.ofMillis(90_001),
                1e10f,
                null);

        OutboxMessage message = codec.message("t", times).build();

        assertThat(text(message)).isEqualTo("""
                {"date":"2026-02-03","duration":"PT1M30.001S","nothing":null,\
                "offset":"2026-02-03T04:05:06.000000007+02:00","ratio":1.0E+10,\
                "zoned":"2026-02-03T04:05:06+01:00[Europe/Paris]"}""");
        assertThat(codec.decode(message, Times.class)).isEqualTo(times);
    }

    @Test
    void sealedTypeTravelsUnderOneNameAndOnlyWhatItPermitsIsRead() {
        OutboxMessage card = codec.message("t", new Card("1")).build();
        OutboxMessage cash = codec.message("t", new Cash(new BigDecimal("5.0"))).build();

        assertThat(text(card)).isEqualTo("{\"@type\":\"Card\",\"number\":\"1\"}");
        assertThat(text(cash)).isEqualTo("{\"@type\":\"cash\",\"given\":5.0}");
        assertThat(codec.decode(card, Payment.class)).isEqualTo(new Card("1"));
        assertThat(codec.decode(cash, Payment.class)).isEqualTo(new Cash(new BigDecimal("5.0")));
        assertThatThrownBy(() -> decode("payment", 1, "{\"@type\":\"Cheque\",\"number\":\"secret\"}"))
                .isInstanceOf(UnknownPayloadException.class)
                .hasMessageContaining("subtype that is not known here")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> decode("payment", 1, "{\"number\":\"secret\"}"))
                .isInstanceOf(RejectedMessageException.class)
                .hasMessage("Could not read payload 'payment' v1: InvalidTypeIdException at $");
    }

    @Test
    void codecTellsWhichClassesItReads() {
        JsonPayloadCodec codec =
                JsonPayloadCodec.builder().type("payment", Payment.class).build();

        assertThat(codec.reads(Payment.class)).isTrue();
        assertThat(codec.reads(Card.class)).isTrue();
        assertThat(codec.reads(Record.class)).isTrue();
        assertThat(codec.reads(Placed.class)).isFalse();
        assertThat(codec.reads(int.class)).isFalse();
    }

    @Test
    void olderVersionIsUpcastStepByStep() {
        String current = text(codec.message("orders", Orders.placed()).build());
        String second = current.replaceAll("\"payment\":\\{[^}]*},", "");
        String first = second.replace("\"total\":12.50", "\"cents\":1200");

        Placed fromSecond = (Placed) decode(Orders.PLACED, 2, second);
        Placed fromFirst = (Placed) decode(Orders.PLACED, 1, first);

        assertThat(fromSecond.payment()).isEqualTo(new Card("unknown"));
        assertThat(fromSecond.total()).isEqualTo("12.50");
        assertThat(fromFirst.payment()).isEqualTo(new Card("unknown"));
        assertThat(fromFirst.total()).isEqualTo("12");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Order.placed",
                "order.placed ",
                "order",
                "java.lang.ProcessBuilder",
                "dev.postrider.jackson.Tripwire",
                "[Ldev.postrider.jackson.Tripwire;",
                "dev.postrider.jackson.Orders$Card"
            })
    void nameThatIsNotRegisteredIsDeferredAndNeverLoadedAsAClass(String name) {
        assertThatThrownBy(() -> decode(name, 1, "{\"@class\":\"dev.postrider.jackson.Tripwire\"}"))
                .isInstanceOf(UnknownPayloadException.class)
                .hasMessageContaining("is not known here, but no version of it");
        assertThat(System.getProperty("tripwire")).isNull();
    }

    @Test
    void versionThatIsNotRegisteredIsDeferredWithThoseThatAre() {
        assertThatThrownBy(() -> decode(Orders.PLACED, 4, "{}"))
                .isInstanceOf(UnknownPayloadException.class)
                .hasMessage("Payload 'order.placed' v4 is not known here, but the versions [1, 2, 3];"
                        + " register it with type(..) or upcast(..)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "{\"date\":\"secret\"}",
                "{\"date\":null} secret",
                "{\"ratio\":1,\"ratio\":2,\"secret\":1}",
                "{\"ratio\":{\"secret\":1}}",
                "{\"date\":[\"secret\"",
                "null",
                "[\"secret\"]"
            })
    void payloadThatNoOneCanReadIsRejectedWithoutQuotingIt(String payload) {
        assertThatThrownBy(() -> decode("times", 1, payload))
                .isInstanceOf(RejectedMessageException.class)
                .hasMessageStartingWith("Could not read payload 'times' v1: ")
                .hasMessageNotContaining("secret");
    }

    @Test
    void textOfTheErrorNamesThePlaceAndNoKeyOfAMap() {
        assertThatThrownBy(() -> decode(Orders.PLACED, 3, "{\"lines\":[{\"count\":\"secret\"}]}"))
                .hasMessageEndingWith("$.lines[0].count");
        assertThatThrownBy(() -> decode(Orders.PLACED, 3, "{\"points\":{\"secret\":\"x\"}}"))
                .hasMessageEndingWith("$.points.*");
    }

    @Test
    void unknownPropertiesAreIgnored() {
        assertThat(decode("payment", 1, "{\"@type\":\"Card\",\"number\":\"1\",\"later\":{}}"))
                .isEqualTo(new Card("1"));
    }

    @Test
    void textsBeyondTheLimitsAreRefusedBothWays() {
        JsonPayloadCodec small = JsonPayloadCodec.builder()
                .type("any", Anything.class)
                .type("loop", Loop.class)
                .limits(JsonLimits.defaults().withMaxBytes(1_000).withMaxDepth(10))
                .build();
        Loop loop = new Loop();
        loop.next = loop;
        Object deep = "";
        for (int i = 0; i < 10; i++) {
            deep = List.of(deep);
        }
        Object tooDeep = deep;

        assertThatThrownBy(() -> small.message("t", loop)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> small.message("t", new Anything(tooDeep)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting depth (11)");
        assertThatThrownBy(() -> small.message("t", new Anything("x".repeat(1_000))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than the 1000 bytes");
        assertThatThrownBy(() -> small.message("t", new Anything(new BigDecimal("1E+1001"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exponent 1001");
        assertThatThrownBy(() -> small.decode(
                        "any", 1, ("{\"value\":\"" + "x".repeat(1_000) + "\"}").getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RejectedMessageException.class);
        assertThatThrownBy(() -> small.decode(
                        "any",
                        1,
                        ("{\"value\":" + "[".repeat(10) + "]".repeat(10) + "}").getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RejectedMessageException.class);
        assertThatThrownBy(() -> small.decode("any", 1, "{\"value\":1E1000000000}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RejectedMessageException.class);
        assertThat(small.message("t", new Anything(Set.of(Set.of(Set.of(Set.of(Set.of(Set.of())))))))
                        .build()
                        .payloadSize())
                .isEqualTo("{\"value\":[[[[[[]]]]]]}".length());
    }

    @Test
    void namesOfClassesInsidePayloadsAreRefused() {
        JsonPayloadCodec open = JsonPayloadCodec.builder()
                .type("opened", Opened.class)
                .type("with", WithOpen.class)
                .type("bag", Bag.class)
                .build();

        assertThatThrownBy(() -> open.message("t", new Opened(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasStackTraceContaining("puts names of classes into its JSON");
        for (String json : List.of(
                "{\"@class\":\"dev.postrider.jackson.Tripwire\",\"@c\":\".Tripwire\",\"a\":1}",
                "{\"value\":{\"@class\":\"dev.postrider.jackson.Tripwire\",\"@c\":\".Tripwire\"}}",
                "{\"value\":[\"dev.postrider.jackson.Tripwire\",{}]}")) {
            for (String type : List.of("opened", "with")) {
                assertThatThrownBy(() -> open.decode(type, 1, json.getBytes(StandardCharsets.UTF_8)))
                        .hasStackTraceContaining("puts names of classes into its JSON");
            }
        }
        Bag bag = open.decode(
                "bag",
                1,
                "{\"values\":{\"@class\":\"dev.postrider.jackson.Tripwire\"}}".getBytes(StandardCharsets.UTF_8),
                Bag.class);
        assertThat(bag.values()).containsEntry("@class", "dev.postrider.jackson.Tripwire");
        assertThat(System.getProperty("tripwire")).isNull();
    }

    @Test
    void registrationThatIsNotClearIsRefused() {
        JsonPayloadCodec.Builder builder = JsonPayloadCodec.builder().type("card", 2, Card.class);

        assertThatThrownBy(() -> builder.type("card", 2, Cash.class))
                .hasMessage("Payload 'card' v2 is registered twice");
        assertThatThrownBy(() -> builder.type("payment", Payment.class))
                .hasMessageEndingWith("Orders$Card is registered as 'card' v2 and as 'payment' v1");
        assertThatThrownBy(() -> builder.type("open", Unsealed.class))
                .hasMessageContaining("is abstract and not sealed");
        assertThatThrownBy(() -> builder.type(" ", Times.class)).hasMessage("type must not be blank");
        assertThatThrownBy(() -> builder.type("times", 0, Times.class))
                .hasMessage("version must be at least 1 but was 0");
        assertThatThrownBy(() -> JsonPayloadCodec.builder()
                        .upcast("card", 1, json -> json)
                        .build())
                .hasMessage("Payload 'card' v1 is upcast, but there is neither a type nor an upcaster for v2");
        assertThatThrownBy(() -> codec.message("t", "text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("java.lang.String is no registered payload");
        OutboxMessage card = codec.message("t", new Card("1")).build();
        assertThatThrownBy(() -> codec.decode(card, Placed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Payload 'payment' v1 is a ");
    }

    private static ObjectNode withUnknownCard(ObjectNode json) {
        json.putObject("payment").put("@type", "Card").put("number", "unknown");
        return json;
    }

    private Object decode(String type, int version, String payload) {
        return codec.decode(type, version, payload.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }
}
