package dev.postrider.e2e;

import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayReport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * How long a relay keeps its shards without a heartbeat.
 *
 * @param ownFor the ownership time of the relay, which beats ten times in it
 * @param granted how long the store takes the relay for alive after a heartbeat
 */
record Tenure(Duration ownFor, Duration granted) {

    /** The default of a relay. */
    static final Duration OWN_FOR = Duration.ofSeconds(2);

    // Far above every PATIENCE: what another relay takes within that was handed over to it.
    private static final Duration LASTING = Duration.ofMinutes(30);
    private static final Duration CLAIM = Duration.ofMinutes(10);
    private static final Duration ANSWER = Duration.ofMinutes(5);
    private static final Duration STOP = Duration.ofMinutes(1);

    /** For a relay that is killed or frozen: its shards are free that long after its last heartbeat. */
    static Tenure lapsing(Duration ownFor) {
        return new Tenure(ownFor, ownFor);
    }

    /**
     * For a relay that nothing happens to. A busy machine may delay its heartbeats and answers for as long as it likes:
     * no shard and no claim lapses, so only the relay itself can hand them over.
     */
    static Tenure lasting() {
        return new Tenure(OWN_FOR, LASTING);
    }

    static Tenure parse(String ownFor, String granted) {
        return new Tenure(Duration.parse(ownFor), Duration.parse(granted));
    }

    boolean isLasting() {
        return granted.compareTo(LASTING) >= 0;
    }

    /** Sets the times of a relay. */
    RelayBuilder applyTo(RelayBuilder relay) {
        relay.ownFor(ownFor);
        return isLasting() ? relay.claimFor(CLAIM).publishTimeout(ANSWER).stopTimeout(STOP) : relay;
    }

    /** Returns the store as the relay has to see it. */
    OutboxStore grantedBy(OutboxStore store) {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("renew")
                                ? store.renew((RelayReport) arguments[0], granted)
                                : method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
