package dev.postrider.testkit.adapter;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.OutboxStoreContract;
import dev.postrider.testkit.OutboxTransaction;
import dev.postrider.testkit.VirtualClock;
import java.time.Duration;
import java.util.UUID;

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
    public RelayAdmin relays() {
        return store.relays();
    }

    @Override
    public OutboxTransaction begin() {
        return store.begin();
    }

    @Override
    public void advance(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public void damage(UUID id) {
        store.damage(id, "damaged");
    }

    @Override
    public void repair(UUID id) {
        store.repair(id);
    }
}
