package dev.postrider.console;

import java.util.List;
import java.util.OptionalInt;

/** Breaks and restores the parts of a demo, so that people can watch what happens. Thread-safe. */
public interface DevTools {

    /**
     * Where the demo stands.
     *
     * @param broker the broker
     * @param traffic what the demo enqueues
     * @param relays the names of the relays that run
     */
    record DemoState(DemoBroker broker, DemoTraffic traffic, List<String> relays) {

        /** Copies the names. */
        public DemoState {
            relays = List.copyOf(relays);
        }
    }

    /**
     * The broker of a demo.
     *
     * @param broken whether it answers nothing
     * @param latencyMillis how late each of its answers comes
     */
    record DemoBroker(boolean broken, int latencyMillis) {}

    /**
     * The traffic of a demo.
     *
     * @param perSecond how many messages are enqueued in a second
     * @param poison whether a message is poison now and then
     */
    record DemoTraffic(int perSecond, boolean poison) {}

    /** Returns where the demo stands. */
    DemoState state();

    /** Breaks or restores the broker. */
    void breakBroker(boolean broken);

    /** Sets how late the broker answers. */
    void delayBroker(int latencyMillis);

    /** Sets how many messages are enqueued in a second; empty keeps it. */
    void traffic(OptionalInt perSecond);

    /** Sets whether a message is poison now and then. */
    void poison(boolean wanted);

    /** Enqueues one message that no attempt delivers. */
    void enqueuePoison();

    /**
     * Kills a relay without giving it time to hand over.
     *
     * @return whether there was such a relay
     */
    boolean killRelay(String name);

    /** Starts another relay and returns its name. */
    String startRelay();
}
