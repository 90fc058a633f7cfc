package dev.postrider.services;

import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a database server is set up. The defaults are fast: they survive a killed process but not a crashed machine.
 *
 * @param durable whether a commit waits for the disk
 * @param bufferMegabytes PostgreSQL's {@code shared_buffers}, InnoDB's buffer pool; H2 ignores it
 * @param timeZone the time zone of the server, with its daylight saving rules; PostgreSQL's driver overrides it for its
 *     sessions with the default zone of the JVM
 * @param settings further settings under the server's own names; they win over all others
 */
public record ServerOptions(boolean durable, int bufferMegabytes, ZoneId timeZone, Map<String, String> settings) {

    public ServerOptions {
        if (bufferMegabytes < 16) {
            throw new IllegalArgumentException("bufferMegabytes must be at least 16 but was " + bufferMegabytes);
        }
        settings = Map.copyOf(settings);
    }

    /** Fast, 128 megabytes, UTC, no further settings. */
    public static ServerOptions defaults() {
        return new ServerOptions(false, 128, ZoneId.of("UTC"), Map.of());
    }

    public ServerOptions withDurable(boolean enabled) {
        return new ServerOptions(enabled, bufferMegabytes, timeZone, settings);
    }

    public ServerOptions withBufferMegabytes(int megabytes) {
        return new ServerOptions(durable, megabytes, timeZone, settings);
    }

    public ServerOptions withTimeZone(ZoneId zone) {
        return new ServerOptions(durable, bufferMegabytes, zone, settings);
    }

    /** Adds one setting, for example {@code wal_level} or {@code innodb_flush_log_at_trx_commit}. */
    public ServerOptions withSetting(String name, String value) {
        return withSettings(Map.of(name, value));
    }

    public ServerOptions withSettings(Map<String, String> more) {
        Map<String, String> merged = new LinkedHashMap<>(settings);
        merged.putAll(more);
        return new ServerOptions(durable, bufferMegabytes, timeZone, merged);
    }
}
