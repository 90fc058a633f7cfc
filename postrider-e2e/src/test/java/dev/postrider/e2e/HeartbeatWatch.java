package dev.postrider.e2e;

import dev.postrider.spi.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Prints the longest time between two successful heartbeats of a relay, whenever it grows. */
final class HeartbeatWatch {

    static final String FACT = "heartbeat-gap ";

    private HeartbeatWatch() {}

    static OutboxStore around(OutboxStore store, Consumer<String> print) {
        AtomicLong last = new AtomicLong(System.nanoTime());
        AtomicLong longest = new AtomicLong();
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        if (method.getName().equals("renew")) {
                            long now = System.nanoTime();
                            long gap = now - last.getAndSet(now);
                            if (gap > longest.get()) {
                                longest.set(gap);
                                print.accept(FACT + gap / 1_000_000);
                            }
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
