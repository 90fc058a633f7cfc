package dev.postrider.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that makes its effect, but stops at one message until it is told to go on. */
public final class Gate {

    /** How long a test waits for anything. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String payload;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private final Set<String> handled = ConcurrentHashMap.newKeySet();

    /** A gate at the message with this payload. */
    public Gate(String payload) {
        this.payload = payload;
    }

    /** Makes the effect, and waits. */
    public void handle(ReceivedMessage message, InboxTransaction transaction) throws Exception {
        handled.add(InboxDatabase.text(message));
        InboxDatabase.effect(message, transaction);
        if (InboxDatabase.text(message).equals(payload)) {
            reached.countDown();
            assertThat(opened.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Returns the payloads that came, also those without an effect. */
    public Set<String> handled() {
        return handled;
    }

    /** Waits until the message is under way. */
    public void awaitReached() throws InterruptedException {
        assertThat(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Lets the message go on. */
    public void open() {
        opened.countDown();
    }
}
