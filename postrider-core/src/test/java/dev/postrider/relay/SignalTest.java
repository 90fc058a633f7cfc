package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SignalTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Signal signal = new Signal();

    @Test
    void threadWaitsUntilTheSignalIsRaised() {
        Thread waiting = waiting();
        await().atMost(PATIENCE).until(() -> waiting.getState() == Thread.State.WAITING);

        signal.raise();

        await().atMost(PATIENCE).until(() -> !waiting.isAlive());
    }

    @Test
    void signalThatWasRaisedBeforeEndsOneWait() throws InterruptedException {
        signal.raise();
        signal.raise();

        signal.await(PATIENCE.toNanos());

        Thread waiting = waiting();
        await().atMost(PATIENCE).until(() -> waiting.getState() == Thread.State.WAITING);
        signal.raise();
        await().atMost(PATIENCE).until(() -> !waiting.isAlive());
    }

    @Test
    void waitOfNoTimeLeavesTheSignalRaised() throws InterruptedException {
        signal.raise();

        signal.await(0);
        signal.await(-1);

        Thread waiting = waiting();
        await().atMost(PATIENCE).until(() -> !waiting.isAlive());
    }

    @Test
    void randomNumbersOfARelayDiffer() {
        SharedRandom random = new SharedRandom();

        assertThat(LongStream.generate(random::nextLong).limit(10).distinct()).hasSizeGreaterThan(1);
    }

    private Thread waiting() {
        Thread thread = new Thread(() -> {
            try {
                signal.awaitRaised();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
