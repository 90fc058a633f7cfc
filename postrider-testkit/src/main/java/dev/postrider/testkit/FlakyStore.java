package dev.postrider.testkit;

import dev.postrider.OutboxException;
import dev.postrider.spi.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * A store that breaks as it is told: before a call has done anything, or after it has committed, when only the answer
 * is lost. Thread-safe.
 */
public final class FlakyStore {

    private final OutboxStore store;
    private final Map<String, Integer> before = new HashMap<>();
    private final Map<String, Integer> after = new HashMap<>();

    /** Passes every call on to {@code store} unless told otherwise. */
    public FlakyStore(OutboxStore store) {
        this.store = store;
    }

    /** The store as others see it. */
    public OutboxStore asStore() {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    return call(method, args == null ? new Object[0] : args);
                });
    }

    /** The next calls of this method of {@link OutboxStore} throw and do nothing. */
    public synchronized FlakyStore failNext(String method, int calls) {
        before.merge(known(method), calls, Integer::sum);
        return this;
    }

    /** The next calls of this method of {@link OutboxStore} do their work and then throw. */
    public synchronized FlakyStore loseAnswers(String method, int calls) {
        after.merge(known(method), calls, Integer::sum);
        return this;
    }

    /** Tells whether everything it was told to break has broken. */
    public synchronized boolean isHealthy() {
        return before.isEmpty() && after.isEmpty();
    }

    private Object call(Method method, Object[] args) throws Throwable {
        breakIfTold(before, method, "Could not reach the store");
        Object answer;
        try {
            answer = method.invoke(store, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
        breakIfTold(after, method, "Lost the answer of the store");
        return answer;
    }

    private synchronized void breakIfTold(Map<String, Integer> calls, Method method, String message) {
        String name = method.getName();
        if (calls.containsKey(name)) {
            calls.computeIfPresent(name, (ignored, left) -> left > 1 ? left - 1 : null);
            throw new OutboxException("%s: %s".formatted(message, name));
        }
    }

    private static String known(String method) {
        for (Method each : OutboxStore.class.getMethods()) {
            if (each.getName().equals(method)) {
                return method;
            }
        }
        throw new IllegalArgumentException("OutboxStore has no method " + method);
    }
}
