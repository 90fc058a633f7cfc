package dev.postrider.testkit;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;

final class InMemoryOutboxStoreTest extends OutboxStoreContract {

    private final VirtualClock clock = new VirtualClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);

    @Override
    public OutboxStore store() {
        return store;
    }

    @Override
    public OutboxAdmin admin() {
        return store;
    }

    @Override
    public OutboxTransaction begin() {
        return store.begin();
    }

    @Override
    public void advance(Duration duration) {
        clock.advance(duration);
    }
}
