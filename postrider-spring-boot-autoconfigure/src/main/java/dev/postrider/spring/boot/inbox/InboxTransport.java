package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.spring.boot.internal.StartStop;
import java.util.List;

/** Receives from one kind of broker. */
interface InboxTransport {

    /** The attribute of {@code @InboxListener} that names what to receive. */
    String attribute();

    /** Returns a consumer that is not started. */
    StartStop consumer(String consumer, List<String> sources, int threads, ReceivedHandler handler);
}
