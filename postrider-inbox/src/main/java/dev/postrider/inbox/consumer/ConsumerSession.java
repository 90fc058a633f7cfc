package dev.postrider.inbox.consumer;

import dev.postrider.inbox.ReceivedMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * One stay at a broker, from connecting to its end. What it received and did not acknowledge comes again, here or
 * elsewhere. For one thread.
 *
 * @param <T> a message in the words of the broker's client
 */
public interface ConsumerSession<T> extends AutoCloseable {

    /** Begins a stay. */
    @FunctionalInterface
    interface Opener<T> {

        /** Connects; what is received goes into {@code lanes}. */
        ConsumerSession<T> open(ConsumerLanes<T> lanes) throws IOException;
    }

    /**
     * Adds what has come to the lanes, and removes from them what is somebody else's by now. Waits if nothing has come.
     *
     * @throws IOException if this stay is over
     */
    void receive(Duration atMost) throws IOException;

    /** Returns the message in our words; whatever is in it, this does not fail. */
    ReceivedMessage message(T received);

    /** Acknowledges messages that were handled or parked, and are in no lane any more. */
    void acknowledge(List<T> done) throws IOException;

    /** Tells whether the broker has assigned anything to receive from. */
    boolean assigned();

    /** Returns how many messages are still to be received, if that is known. */
    OptionalLong lag();

    /** Sends what is acknowledged, and gives back the rest. */
    @Override
    void close();
}
