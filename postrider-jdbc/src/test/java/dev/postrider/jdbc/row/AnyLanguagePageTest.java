package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Shards;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** docs/any-language.md and the code say the same; {@link ForeignRowTest} runs the statements of the page. */
final class AnyLanguagePageTest {

    @Test
    void documentedShardsAreThoseOfTheirKeys() {
        Map<String, Integer> shards = ForeignInsert.documentedShards();

        assertThat(shards)
                .hasSize(4)
                .allSatisfy((key, shard) -> assertThat(Shards.of(keyed(key))).isEqualTo(shard));
    }

    @Test
    void secondRowOfADedupeKeyIsNotInsertedOnPostgres() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            ForeignInsert insert = ForeignInsert.of(Kind.POSTGRES_18);
            insert.run(fixture, row());

            // The fixture expects one changed row; an SQL error would be another exception.
            assertThatThrownBy(() -> insert.run(fixture, row())).isInstanceOf(AssertionError.class);
        }
    }

    private static Map<String, @Nullable Object> row() {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("id", UUID.randomUUID().toString());
        values.put("topic", "orders");
        values.put("type", "placed");
        values.put("shard", 0);
        values.put("dedupe_key", "request-42");
        values.put("payload", "{}".getBytes(StandardCharsets.UTF_8));
        return values;
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "placed").key(key).build();
    }
}
