package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.postrider.spi.WakeUp;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CommitSignalTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicInteger sent = new AtomicInteger();
    private @Nullable Error thrown;

    @Test
    @Tag("B2")
    void manyCommitsInAShortTimeAreOneSignal() {
        try (CommitSignal signal = new CommitSignal(counting(0), Duration.ofHours(1)).start()) {
            for (int i = 0; i < 10_000; i++) {
                signal.committed();
            }
            await().atMost(PATIENCE).until(() -> sent.get() == 1);

            signal.committed();

            await().atMost(PATIENCE).during(Duration.ofMillis(100)).until(() -> sent.get() == 1);
        }
    }

    @Test
    void aSignalAfterTheQuietTimeIsSentAgain() {
        try (CommitSignal signal = new CommitSignal(counting(0), Duration.ofMillis(1)).start()) {
            await().atMost(PATIENCE).until(() -> {
                signal.committed();
                return sent.get() > 3;
            });
        }
    }

    @Test
    void aBrokenChannelDoesNotEndTheThread() {
        try (CommitSignal signal = new CommitSignal(counting(1), Duration.ofMillis(1)).start()) {
            await().atMost(PATIENCE).until(() -> {
                signal.committed();
                return sent.get() > 2;
            });
        }
    }

    @Test
    void errorOfTheChannelIsCountedAndDoesNotEndTheThread() {
        thrown = new NoClassDefFoundError("com/example/Driver");
        try (CommitSignal signal = new CommitSignal(counting(1), Duration.ofMillis(1)).start()) {
            await().atMost(PATIENCE).until(() -> {
                signal.committed();
                return sent.get() > 2;
            });

            assertThat(signal.restarts()).isEqualTo(1);
        }
    }

    @Test
    void misuseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CommitSignal(counting(0), Duration.ZERO))
                .withMessageContaining("PT0S");
        try (CommitSignal signal = new CommitSignal(counting(0), Duration.ofMillis(1)).start()) {
            assertThatIllegalStateException().isThrownBy(signal::start);
        }
        assertThat(sent).hasValue(0);
    }

    private WakeUp counting(int failures) {
        return new WakeUp() {
            @Override
            public void signal() {
                if (sent.incrementAndGet() <= failures) {
                    if (thrown != null) {
                        throw thrown;
                    }
                    throw new IllegalStateException("no connection");
                }
            }

            @Override
            public boolean await(Duration timeout) {
                return false;
            }

            @Override
            public void close() {}
        };
    }
}
