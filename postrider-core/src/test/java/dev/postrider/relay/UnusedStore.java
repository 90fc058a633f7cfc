package dev.postrider.relay;

import dev.postrider.spi.OutboxStore;
import java.lang.reflect.Proxy;

/** A store for tests of parts that must never call one. */
final class UnusedStore {

    private UnusedStore() {}

    static RelayBuilder relay() {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                UnusedStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    throw new AssertionError(method);
                });
        return Relay.builder(store, (wave, answers) -> {});
    }
}
