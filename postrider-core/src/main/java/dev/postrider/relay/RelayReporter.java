package dev.postrider.relay;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts for the report of a relay what it has done since it was started. Thread-safe. */
final class RelayReporter implements RelayListener {

    private static final @Nullable String HOST = host();
    private static final @Nullable String VERSION =
            RelayReporter.class.getPackage().getImplementationVersion();

    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile @Nullable String lastError;

    @Override
    public void settled(List<Settlement> outcomes) {
        for (Settlement outcome : outcomes) {
            switch (outcome.outcome()) {
                case DELIVERED -> delivered.increment();
                case RETRY, DEAD -> {
                    failed.increment();
                    lastError = outcome.error();
                }
                case RELEASED, BEHIND -> {}
            }
        }
    }

    @Override
    public void gateClosed(TopicName topic, String error) {
        lastError = error;
    }

    @Override
    public void turnFailed(String loop, Throwable cause) {
        lastError = loop + ": " + ErrorText.of(cause);
    }

    /** Returns what the relay with this name and health tells. */
    RelayReport report(String relay, RelayHealth health) {
        return new RelayReport(
                relay, HOST, VERSION, state(health), health.inFlight(), delivered.sum(), failed.sum(), lastError);
    }

    private static RelayReport.State state(RelayHealth health) {
        if (health.stalled() != null) {
            return RelayReport.State.STALLED;
        }
        return switch (health.state()) {
            case NEW, RUNNING -> RelayReport.State.RUNNING;
            case STANDBY -> RelayReport.State.STANDBY;
            case PAUSED -> RelayReport.State.PAUSED;
            case DRAINING, CLOSED -> RelayReport.State.DRAINING;
        };
    }

    // Asks nobody: a name server that is away must not hold up the first heartbeat.
    private static @Nullable String host() {
        String name = System.getenv().getOrDefault("HOSTNAME", System.getenv("COMPUTERNAME"));
        if (name != null && !name.isBlank()) {
            return name.strip();
        }
        try {
            return Files.readString(Path.of("/etc/hostname")).strip();
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}
