package dev.postrider.testkit.adapter;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.OutboxTransaction;
import dev.postrider.testkit.RelayContract;
import java.time.Clock;
import java.util.UUID;

final class InMemoryRelayTest extends RelayContract {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(Clock.systemUTC());

    @Override
    protected OutboxStore store() {
        return store;
    }

    @Override
    protected OutboxAdmin admin() {
        return store;
    }

    @Override
    protected RelayAdmin relays() {
        return store.relays();
    }

    @Override
    protected OutboxTransaction begin() {
        return store.begin();
    }

    @Override
    protected void damage(UUID id) {
        store.damage(id, "damaged");
    }

    @Override
    protected void repair(UUID id) {
        store.repair(id);
    }
}
