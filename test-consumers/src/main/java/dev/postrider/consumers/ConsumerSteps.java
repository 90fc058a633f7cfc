package dev.postrider.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What the contracts of a consumer begin and end with. */
abstract class ConsumerSteps {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @Nullable TestBroker broker;
    private @Nullable InboxDatabase database;

    /** A topic or queue of the test's own. */
    protected abstract TestBroker newBroker(int lanes);

    /** Closes something after the test, before what was there earlier. */
    protected final void closeAfterTest(AutoCloseable resource) {
        opened.push(resource);
    }

    final TestBroker open(int lanes) {
        TestBroker fresh = newBroker(lanes);
        closeAfterTest(fresh);
        broker = fresh;
        return fresh;
    }

    final InboxDatabase open(Kind kind) {
        return opened(InboxDatabase.open(kind));
    }

    /** Takes a database, and closes it after the test. */
    final InboxDatabase opened(InboxDatabase fresh) {
        closeAfterTest(fresh);
        database = fresh;
        return fresh;
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Waits until all of these have an effect and are acknowledged, and checks that each has one only. */
    final void assertOneEffectEach(List<String> expected, RunningConsumer consumer) {
        if (broker == null || database == null) {
            throw new IllegalStateException("Neither a broker nor a database was opened");
        }
        database.awaitEffects(expected.size());
        broker.awaitAcknowledged(consumer);
        assertThat(database.effects()).containsExactlyInAnyOrderElementsOf(expected);
    }
}
