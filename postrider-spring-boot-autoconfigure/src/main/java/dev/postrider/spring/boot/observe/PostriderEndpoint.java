package dev.postrider.spring.boot.observe;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.DeadGroup;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.relay.HealthReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.TopicName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code postrider}: a summary, one message, groups of dead messages; requeue, pause and resume.
 * Payloads are never shown. Thread-safe.
 */
@Endpoint(id = "postrider")
final class PostriderEndpoint {

    private static final int MOST_GROUPS = 100;

    private final Postrider postrider;
    private final @Nullable Relay relay;

    PostriderEndpoint(Postrider postrider, @Nullable Relay relay) {
        this.postrider = postrider;
        this.relay = relay;
    }

    /** Returns counts, which stop at a cap, and how the relay of this process is. */
    @ReadOperation
    public Map<String, Object> summary() {
        Map<String, Object> summary = new LinkedHashMap<>();
        OutboxStats stats = postrider.admin().stats();
        summary.put("pending", stats.pending());
        summary.put("waiting", stats.waiting());
        summary.put("dead", stats.dead());
        summary.put("countsEndAt", stats.cap());
        summary.put("oldestPending", stats.oldestPending().toString());
        summary.put("blockedKeys", stats.blockedKeys());
        summary.put("relays", stats.relays());
        summary.put("unownedShards", stats.unownedShards());
        if (relay != null) {
            HealthReport report = HealthReport.of(relay.health());
            Map<String, Object> own = new LinkedHashMap<>();
            own.put("name", relay.name());
            own.put("status", report.status().name());
            own.putAll(report.details());
            summary.put("relay", own);
        }
        return summary;
    }

    /** Returns one message by its id, or the groups of dead messages for {@code dead}. */
    @ReadOperation
    public @Nullable Object find(@Selector String what) {
        if (what.equals("dead")) {
            return postrider.deadMessages().groups(MessageFilter.all(), MOST_GROUPS).stream()
                    .map(PostriderEndpoint::group)
                    .toList();
        }
        return postrider
                .admin()
                .find(UUID.fromString(what))
                .map(PostriderEndpoint::message)
                .orElse(null);
    }

    /** Pauses or resumes the relay of this process. */
    @WriteOperation
    public Map<String, Object> act(@Selector String action) {
        if (relay == null) {
            throw new IllegalStateException("This application has no relay");
        }
        switch (action) {
            case "pause" -> relay.pause();
            case "resume" -> relay.resume();
            default ->
                throw new IllegalArgumentException("Action must be pause or resume but was '%s'".formatted(action));
        }
        return Map.of("relay", relay.name(), "state", relay.health().state().name());
    }

    /** Puts a dead message back. */
    @WriteOperation
    public Map<String, Object> requeue(@Selector String action, @Selector String id, String by, String reason) {
        if (!action.equals("requeue")) {
            throw new IllegalArgumentException("Action must be requeue but was '%s'".formatted(action));
        }
        return Map.of("requeued", postrider.admin().requeue(List.of(UUID.fromString(id)), new Decision(by, reason)));
    }

    private static Map<String, Object> group(DeadGroup group) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("topic", group.topic().toString());
        shown.put("type", group.type());
        shown.put("failure", group.failure());
        shown.put("count", group.count());
        shown.put("atLeast", group.atLeast());
        shown.put("first", group.first());
        shown.put("last", group.last());
        if (group.sample() != null) {
            shown.put("sample", group.sample().id());
        }
        return shown;
    }

    private static Map<String, Object> message(StoredMessage stored) {
        OutboxMessage message = stored.message();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", message.id());
        shown.put("status", stored.status());
        shown.put("topic", TopicName.of(message).toString());
        shown.put("type", message.type());
        message.key().ifPresent(key -> shown.put("key", key));
        shown.put("attempts", stored.attempts());
        stored.error().ifPresent(error -> shown.put("lastError", error));
        shown.put("created", stored.times().created());
        shown.put("updated", stored.times().updated());
        shown.put("payloadBytes", message.payloadSize());
        return shown;
    }
}
