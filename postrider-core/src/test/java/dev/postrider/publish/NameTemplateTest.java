package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameTemplateTest {

    private static final OutboxMessage MESSAGE = OutboxMessage.to("orders", "OrderPlaced")
            .namespace("shop")
            .key("42")
            .tenant("acme")
            .build();

    @Tag("R2.4")
    @ParameterizedTest
    @CsvSource({
        "{topic}, orders",
        "{namespace}.{topic}, shop.orders",
        "{type}, OrderPlaced",
        "x-{tenant}-{key}-y, x-acme-42-y",
        "events, events",
        "{topic}{topic}, ordersorders",
    })
    void theFieldsOfTheMessageTakeTheirPlaces(String template, String name) {
        assertThat(NameTemplate.of(template).render(MESSAGE)).isEqualTo(name);
    }

    @Test
    void onlyTheValuesAreEscaped() {
        String name = NameTemplate.of("/a b/{topic}/{key}").render(MESSAGE, value -> "<" + value + ">");

        assertThat(name).isEqualTo("/a b/<orders>/<42>");
    }

    @ParameterizedTest
    @CsvSource({"{subject}, known are", "{, brace", "a}b, brace", "{topic}}, brace", "{{topic}, brace", "' ', blank"})
    void aBadTemplateIsRefusedWithTheReason(String template, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.of(template))
                .withMessageContaining(reason);
    }

    @Test
    void aFieldTheMessageDoesNotHaveIsNamed() {
        OutboxMessage bare = OutboxMessage.to("orders", "OrderPlaced").build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.of("{tenant}.{topic}").render(bare))
                .withMessageContaining("needs a tenant")
                .withMessageContaining(bare.id().toString());
    }

    @Test
    void onlyATemplateWithoutFieldsIsConstant() {
        assertThat(NameTemplate.of("events").constant()).contains("events");
        assertThat(NameTemplate.of("{topic}").constant()).isEmpty();
        assertThat(NameTemplate.of("{topic}")).hasToString("{topic}");
    }
}
