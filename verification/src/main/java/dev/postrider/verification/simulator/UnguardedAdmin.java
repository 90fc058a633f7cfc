package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.admin.TopicStats;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Requeues a message whatever its state; whoever asked believes that nothing happened. */
final class UnguardedAdmin implements OutboxAdmin {

    private final OutboxAdmin admin;

    UnguardedAdmin(OutboxAdmin admin) {
        this.admin = admin;
    }

    @Override
    public int requeue(Collection<UUID> ids, Decision decision) {
        int requeued = admin.requeue(ids, decision);
        int reopened = admin.replay(ids, decision);
        return Math.max(requeued, requeued + reopened - ids.size());
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        return admin.find(id);
    }

    @Override
    public List<Attempt> attempts(UUID id) {
        return admin.attempts(id);
    }

    @Override
    public List<StoredMessage> list(MessageStatus status, long after, int limit) {
        return admin.list(status, after, limit);
    }

    @Override
    public List<BlockedKey> blockedKeys(int limit) {
        return admin.blockedKeys(limit);
    }

    @Override
    public List<ClosedTopic> closedTopics() {
        return admin.closedTopics();
    }

    @Override
    public int discard(Collection<UUID> ids, Decision decision) {
        return admin.discard(ids, decision);
    }

    @Override
    public int replay(Collection<UUID> ids, Decision decision) {
        return admin.replay(ids, decision);
    }

    @Override
    public int purge(Duration age, int limit, Decision decision) {
        return admin.purge(age, limit, decision);
    }

    @Override
    public TopicStats topicStats() {
        return admin.topicStats();
    }

    @Override
    public OutboxStats stats() {
        return admin.stats();
    }
}
