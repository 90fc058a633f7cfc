package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.Outlet;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Shards;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that were written without this library. */
@Tag("B6")
@Tag("R4.2")
final class ForeignRowTest {

    private static final String HEADERS = "{\"trace\": \"abc\"}";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRowWithTheDocumentedHashIsDelivered(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage plain = message(null);
            OutboxMessage deduped = message("Größe|🐎");
            insert(outlet, kind, plain);
            insert(outlet, kind, deduped);

            outlet.startRelay();

            outlet.await(() -> outlet.count(MessageStatus.DELIVERED) == 2);
            assertThat(outlet.received())
                    .extracting(OutboxMessage::id)
                    .containsExactlyInAnyOrder(plain.id(), deduped.id());
            assertThat(outlet.received())
                    .allSatisfy(each -> assertThat(each.headers()).containsExactly(Map.entry("trace", "abc")));
            assertThat(outlet.heard()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRowWithoutAHashIsRefusedByTheDatabase(Kind kind) {
        String id =
                kind == Kind.POSTGRES_18 || kind == Kind.H2 ? "cast('%s' as uuid)" : "unhex(replace('%s', '-', ''))";
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            assertThatThrownBy(() -> outlet.fixture()
                            .execute("insert into outbox_message (id, topic, type, shard, payload) values ("
                                    + id.formatted(UUID.randomUUID()) + ", 'orders', 'placed', 0, "
                                    + (kind == Kind.POSTGRES_18 ? "'{}'" : "x'7b7d'") + ")"))
                    .hasStackTraceContaining(kind == Kind.H2 ? "CONTENT_HASH" : "content_hash");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("B1")
    void keyedRowWithTheWrongShardBecomesDeadAndNamesBothShards(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage right = keyed("größe");
            OutboxMessage wrong = keyed("42");
            int shard = Shards.of(wrong);
            int other = (shard + 1) % Shards.COUNT;
            insert(outlet, kind, right);
            insert(outlet, kind, wrong, other);

            outlet.startRelay();

            outlet.await(() -> outlet.count(MessageStatus.DELIVERED) == 1 && outlet.count(MessageStatus.DEAD) == 1);
            assertThat(outlet.received()).extracting(OutboxMessage::id).containsExactly(right.id());
            assertThat(outlet.heard()).containsExactly(wrong.id());
            assertThat(outlet.admin().find(wrong.id()).orElseThrow().lastError())
                    .isEqualTo("The row is in shard %d but its key belongs to shard %d".formatted(other, shard));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void rowWithoutAKeyIsDeliveredFromAnyShard(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            OutboxMessage message = message(null);
            insert(outlet, kind, message, (Shards.of(message) + 1) % Shards.COUNT);

            outlet.startRelay();

            outlet.await(() -> outlet.count(MessageStatus.DELIVERED) == 1);
            assertThat(outlet.heard()).isEmpty();
        }
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "placed").key(key).payload("{}").build();
    }

    private static OutboxMessage message(@Nullable String dedupeKey) {
        return OutboxMessage.to("orders", "Tür|offen 🐎")
                .dedupeKey(dedupeKey)
                .header("trace", "abc")
                .payload("{\"a\": \"größe\"}")
                .build();
    }

    private static void insert(Outlet outlet, Kind kind, OutboxMessage message) {
        insert(outlet, kind, message, Shards.of(message));
    }

    private static void insert(Outlet outlet, Kind kind, OutboxMessage message, int shard) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("id", message.id().toString());
        values.put("topic", message.topic());
        values.put("type", message.type());
        values.put("message_key", message.key().orElse(null));
        values.put("shard", shard);
        values.put("dedupe_key", message.dedupeKey().orElse(null));
        values.put("headers", message.headers().isEmpty() ? null : HEADERS);
        values.put("payload", message.payload());
        ForeignInsert.of(kind).run(outlet.fixture(), values);
        if (shard != Shards.of(message)) {
            outlet.fixture().update("update outbox_message set shard = ? where id = ?", shard, message.id());
        }
    }
}
