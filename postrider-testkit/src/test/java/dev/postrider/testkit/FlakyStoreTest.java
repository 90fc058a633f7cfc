package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

@OutboxTest
final class FlakyStoreTest {

    @Test
    void aFailedCallDoesNothing(InMemoryOutboxStore store) {
        FlakyStore flaky = new FlakyStore(store).failNext("acquire", 1);
        OutboxStore broken = flaky.asStore();
        broken.renew("a", Duration.ofMinutes(1));

        assertThatThrownBy(() -> broken.acquire("a", Set.of(1))).isInstanceOf(OutboxException.class);

        assertThat(flaky.isHealthy()).isTrue();
        assertThat(broken.acquire("a", Set.of(1)).shards()).hasSize(1);
    }

    @Test
    void aLostAnswerComesAfterTheWork(InMemoryOutboxStore store) {
        OutboxStore broken = new FlakyStore(store).loseAnswers("renew", 1).asStore();

        assertThatThrownBy(() -> broken.renew("a", Duration.ofMinutes(1))).isInstanceOf(OutboxException.class);

        assertThat(store.acquire("a", Set.of(1)).shards()).hasSize(1);
    }

    @Test
    void anUnknownMethodIsNamed(InMemoryOutboxStore store) {
        assertThatThrownBy(() -> new FlakyStore(store).failNext("settel", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("settel");
    }
}
