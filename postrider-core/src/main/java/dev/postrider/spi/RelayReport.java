package dev.postrider.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a relay tells of itself with its heartbeat, for people.
 *
 * @param relay its unique name
 * @param host where it runs; null if it does not know
 * @param version the version of the library; null if it does not know
 * @param state what it is doing
 * @param inFlight how many messages it has fetched and not settled
 * @param delivered how many messages it has delivered since it was started
 * @param failed how many attempts have failed since it was started
 * @param lastError what went wrong last, free of payload and without control characters; null if nothing did
 */
public record RelayReport(
        String relay,
        @Nullable String host,
        @Nullable String version,
        State state,
        int inFlight,
        long delivered,
        long failed,
        @Nullable String lastError) {

    private static final int MAX_LENGTH = 200;

    /** Cuts and cleans the texts. */
    public RelayReport {
        host = host == null ? null : ErrorText.clean(host, MAX_LENGTH);
        version = version == null ? null : ErrorText.clean(version, MAX_LENGTH);
        lastError = lastError == null ? null : ErrorText.clean(lastError);
    }

    /** What a relay is doing. */
    public enum State {
        /** Claims and delivers. */
        RUNNING,
        /** Runs, but owns no shard. */
        STANDBY,
        /** Claims nothing until resumed. */
        PAUSED,
        /** Hands its shards over and claims nothing. */
        DRAINING,
        /** Delivers nothing although it should. */
        STALLED
    }

    /** Returns the report of a relay that tells nothing but its name. */
    public static RelayReport of(String relay) {
        return new RelayReport(relay, null, null, State.RUNNING, 0, 0, 0, null);
    }
}
