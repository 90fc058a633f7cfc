package dev.postrider.safety;

import java.util.List;

/** One level of the net. Used by one thread. */
interface Level extends AutoCloseable {

    /** Tries to keep these; returns those it could not keep. */
    List<DeadMessage> save(List<DeadMessage> dead);

    @Override
    void close();
}
