package dev.postrider.safety;

import java.util.List;

/** One level of the net. Used by one thread. */
interface Level extends AutoCloseable {

    /** Tries to save these messages; returns those that it could not save. */
    List<DeadMessage> save(List<DeadMessage> dead);

    @Override
    void close();
}
