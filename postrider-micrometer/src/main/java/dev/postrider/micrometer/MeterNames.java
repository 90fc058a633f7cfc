package dev.postrider.micrometer;

/** What the meters are called. Dashboards and alert rules are built on these names. */
final class MeterNames {

    static final String ENQUEUED = "postrider.outbox.enqueued";
    static final String STORED = "postrider.outbox.stored";
    static final String PUBLISH = "postrider.outbox.publish";
    static final String DELIVERY_DELAY = "postrider.outbox.delivery.delay";
    static final String SETTLED = "postrider.outbox.settled";
    static final String INTEGRITY_FAILURES = "postrider.outbox.integrity.failures";
    static final String DEAD_REFUSED = "postrider.outbox.dead.refused";
    static final String PENDING = "postrider.outbox.pending";
    static final String WAITING = "postrider.outbox.waiting";
    static final String DEAD = "postrider.outbox.dead";
    static final String KEYS_BLOCKED = "postrider.outbox.keys.blocked";
    static final String OLDEST_AGE = "postrider.outbox.oldest.age";

    static final String POLL = "postrider.relay.poll";
    static final String BATCH_SIZE = "postrider.relay.batch.size";
    static final String FENCED = "postrider.relay.fenced";
    static final String CLAIMS_RECOVERED = "postrider.relay.claims.recovered";
    static final String ANSWERS_IGNORED = "postrider.relay.answers.ignored";
    static final String TURN_FAILURES = "postrider.relay.turn.failures";
    static final String SHARDS_ACQUIRED = "postrider.relay.shards.acquired";
    static final String SHARDS_LOST = "postrider.relay.shards.lost";
    static final String SHARDS_OWNED = "postrider.relay.shards.owned";
    static final String SHARDS_UNOWNED = "postrider.relay.shards.unowned";
    static final String INSTANCES = "postrider.relay.instances";
    static final String IN_FLIGHT = "postrider.relay.in.flight";
    static final String ALIVE = "postrider.relay.alive";
    static final String STORE_REACHABLE = "postrider.relay.store.reachable";
    static final String STATE = "postrider.relay.state";
    static final String TOPICS_CLOSED = "postrider.relay.topics.closed";
    static final String TOPIC_CLOSED = "postrider.relay.topic.closed";

    static final String SAMPLE_FAILURES = "postrider.metrics.sample.failures";
    static final String SAMPLE_AGE = "postrider.metrics.sample.age";

    static final String ALERTS_SENT = "postrider.alerts.sent";
    static final String ALERTS_FAILED = "postrider.alerts.failed";
    static final String ALERTS_DROPPED = "postrider.alerts.dropped";

    static final String SAFETY_NET = "postrider.safety.net";

    static final String THREAD_RESTARTS = "postrider.thread.restarts";

    static final String RETENTION_DELETED = "postrider.retention.deleted";

    static final String INBOX_PROCESSED = "postrider.inbox.processed";
    static final String INBOX_TRANSACTION = "postrider.inbox.transaction";
    static final String INBOX_DUPLICATES = "postrider.inbox.duplicates";
    static final String INBOX_SKIPPED = "postrider.inbox.skipped";
    static final String INBOX_REPEATED = "postrider.inbox.repeated";
    static final String INBOX_PARKINGS = "postrider.inbox.parkings";
    static final String INBOX_FAILURES = "postrider.inbox.failures";
    static final String INBOX_PARKED = "postrider.inbox.parked";
    static final String INBOX_BEHIND = "postrider.inbox.behind";
    static final String INBOX_RELEASED = "postrider.inbox.released";
    static final String INBOX_KEYS_HELD = "postrider.inbox.keys.held";
    static final String INBOX_OLDEST_READY = "postrider.inbox.oldest.ready.age";
    static final String INBOX_SAMPLE_AGE = "postrider.inbox.sample.age";
    static final String CONSUMER_ALIVE = "postrider.consumer.alive";
    static final String CONSUMER_RUNNING = "postrider.consumer.running";
    static final String CONSUMER_LAG = "postrider.consumer.lag";
    static final String CONSUMER_IN_HAND = "postrider.consumer.in.hand";
    static final String CONSUMER_WAITING = "postrider.consumer.waiting";
    static final String CONSUMER_UNDER_WAY = "postrider.consumer.under.way";

    static final String SAGA_STEPS = "postrider.saga.steps";
    static final String SAGA_ENDED = "postrider.saga.ended";
    static final String SAGA_LATE_REPLIES = "postrider.saga.replies.late";
    static final String SAGA_STUCK = "postrider.saga.stuck";
    static final String SAGA_OVERDUE = "postrider.saga.overdue";
    static final String SAGA_OLDEST_OVERDUE = "postrider.saga.oldest.overdue.age";
    static final String SAGA_SAMPLE_AGE = "postrider.saga.sample.age";

    static final String ALIAS_PENDING = "outbox.pending.count";
    static final String ALIAS_PROCESSED = "outbox.processed.count";
    static final String ALIAS_FAILED = "outbox.failed.count";
    static final String ALIAS_DEAD = "outbox.dlq.count";
    static final String ALIAS_INTEGRITY = "outbox.integrity.failure.count";
    static final String ALIAS_RECOVERED = "outbox.stalled.recovered.count";

    private MeterNames() {}
}
