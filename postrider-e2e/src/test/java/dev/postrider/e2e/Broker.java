package dev.postrider.e2e;

import dev.postrider.spi.MessagePublisher;
import java.util.List;

/** A real broker that things are done to, with a proxy between it and the publishers. For one thread. */
interface Broker extends AutoCloseable {

    /** The topic the producers write to; the broker keeps everything that arrives in it. */
    String TOPIC = "orders";

    /** Makes a publisher that reaches the broker through the proxy. */
    MessagePublisher publisher();

    /** Kills the broker with SIGKILL and starts it again on the same data. */
    void killAndRestart();

    /** Cuts every connection of the publishers. */
    void cutConnections();

    /** Freezes the broker: its connections stay open and nothing is answered. */
    void freeze();

    /** Lets the frozen broker go on. */
    void thaw();

    /** Returns everything that arrived, in the broker's order for each key. */
    List<Arrival> arrivals();

    @Override
    void close();
}
