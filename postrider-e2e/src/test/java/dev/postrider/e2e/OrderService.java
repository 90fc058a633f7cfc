package dev.postrider.e2e;

import dev.postrider.services.ChildJvm;
import java.time.Duration;

/** One service of the order saga, which can be killed and comes again. For one thread. */
final class OrderService implements AutoCloseable {

    private final Ledger ledger;
    private final String name;
    private final String address;
    private final StringBuilder printed = new StringBuilder();
    private ChildJvm jvm;

    OrderService(Ledger ledger, String name, String address) {
        this.ledger = ledger;
        this.name = name;
        this.address = address;
        this.jvm = launch();
    }

    private ChildJvm launch() {
        return ChildJvm.of(OrderMain.class)
                .heap("128m")
                .quickStart()
                .systemProperty("org.slf4j.simpleLogger.defaultLogLevel", "error")
                .arguments(
                        ledger.database().jdbcUrl(),
                        ledger.database().user(),
                        ledger.database().password())
                .arguments(name, address)
                .start();
    }

    void awaitReady(Duration patience) {
        jvm.awaitOutput(OrderMain.READY, patience);
    }

    /** Kills the process with SIGKILL and starts another. */
    void killAndRestart() {
        jvm.kill();
        printed.append(jvm.output());
        jvm.close();
        jvm = launch();
    }

    /** Returns what all its processes have printed. */
    String output() {
        return printed + jvm.output();
    }

    /** Returns how many messages came to it that it had handled before. */
    long duplicates() {
        return output().lines().filter(OrderMain.DUPLICATE::equals).count();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
