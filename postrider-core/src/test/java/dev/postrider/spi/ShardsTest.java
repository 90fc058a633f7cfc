package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ShardsTest {

    @Test
    @Tag("B6")
    void theShardIsWhatAnyLanguageComputes() {
        // CRC-32 of "order-42" is 0x0A96C9E4 by zlib, so a script can check itself against this figure.
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update("order-42".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        int shard =
                Shards.of(OutboxMessage.to("orders", "placed").key("order-42").build());

        assertThat(shard).isEqualTo((int) (crc.getValue() % 64));
    }

    @Test
    void oneKeyHasOneShardInEveryTopic() {
        assertThat(Shards.of(OutboxMessage.to("a", "t").key("k").build()))
                .isEqualTo(Shards.of(OutboxMessage.to("b", "u").key("k").build()));
    }

    @Test
    void messagesWithoutAKeySpread() {
        Set<Integer> shards = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            shards.add(Shards.of(OutboxMessage.to("a", "t").build()));
        }

        assertThat(shards).hasSize(Shards.COUNT);
    }
}
