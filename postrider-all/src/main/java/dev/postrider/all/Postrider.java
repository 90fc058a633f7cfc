package dev.postrider.all;

import dev.postrider.OutboxMessage;
import dev.postrider.database.TableNames;
import dev.postrider.inbox.InboxAdmin;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.operator.JdbcBulkActions;
import dev.postrider.jdbc.operator.JdbcDeadMessages;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.operator.JdbcRelayAdmin;
import dev.postrider.jdbc.operator.JdbcRestore;
import dev.postrider.jdbc.operator.JdbcRetention;
import dev.postrider.relay.ManualRelay;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaSchema;
import dev.postrider.spi.MessagePublisher;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The transactional outbox, the inbox and sagas of one database, configured once. Every part that this handle returns
 * uses the same tables, keys, limits and publisher.
 *
 * <p>The handle opens no connection and starts no thread. The parts that do, such as a {@link Relay}, are closed by
 * their caller, and so are publishers. Thread-safe.
 */
public final class Postrider {

    private final DataSource dataSource;
    private final DataSource relayDataSource;
    private final Tables tables;
    private final String namespace;
    private final JdbcOutbox outbox;
    private final JdbcOutboxStore store;
    private final JdbcOutboxAdmin admin;
    private final JdbcDeadMessages deadMessages;
    private final JdbcRestore restore;
    private final @Nullable MessagePublisher publisher;

    Postrider(PostriderBuilder builder) {
        this.dataSource = builder.dataSource;
        this.relayDataSource = builder.relayDataSource;
        this.tables = builder.tables;
        this.namespace = builder.namespace;
        this.outbox = builder.outbox();
        this.store = builder.store();
        this.admin = builder.admin();
        this.deadMessages = builder.deadMessages();
        this.restore = builder.restore();
        this.publisher = builder.publisher();
    }

    /** Starts configuring a handle over this database; the data source is the only required part. */
    public static PostriderBuilder on(DataSource dataSource) {
        return new PostriderBuilder(dataSource);
    }

    /** Creates or upgrades the tables of outbox, inbox and sagas. Any number of processes may call it at once. */
    public void migrate() {
        outboxSchema().migrate();
        inboxSchema().migrate();
        sagaSchema().migrate();
    }

    /**
     * Checks that the tables exist and fit this version.
     *
     * @throws dev.postrider.OutboxException saying what to do
     */
    public void validate() {
        outboxSchema().validate();
        inboxSchema().validate();
        sagaSchema().validate();
    }

    /** Returns the SQL that creates all tables, for review or for a migration tool. */
    public String schemaSql() {
        return String.join(
                "\n",
                outboxSchema().print(),
                inboxSchema().print(),
                sagaSchema().print());
    }

    /** Returns what the tables of the outbox are called. */
    public TableNames outboxTables() {
        return tables.outbox();
    }

    /** Starts a message of this handle's namespace; the type is a stable name and never a class to load. */
    public OutboxMessage.Builder message(String topic, String type) {
        return OutboxMessage.to(topic, type).namespace(namespace);
    }

    /** Returns the outbox, which enqueues messages in the application's transaction. */
    public JdbcOutbox outbox() {
        return outbox;
    }

    /**
     * Starts configuring a relay of this database; {@code build().start()} begins to deliver.
     *
     * @throws IllegalStateException if the handle has no publisher
     */
    public RelayBuilder relay() {
        if (publisher == null) {
            throw new IllegalStateException("This handle has no publisher: call publisher(...) or route(...) on its"
                    + " builder, or build a relay with Relay.builder(postrider.store(), publisher)");
        }
        return Relay.builder(store, publisher);
    }

    /** Returns the outbox tables as a relay sees them, for a relay with a publisher of its own. */
    public JdbcOutboxStore store() {
        return store;
    }

    /**
     * Returns the claim, ack and nack calls for a delivery loop of the application's own. It claims messages of this
     * handle's namespace only.
     *
     * @param owner identifies the claiming process in the table
     */
    public ManualRelay claimer(String owner, RetryPolicy retry) {
        return new ManualRelay(store, owner, retry).inNamespace(namespace);
    }

    /** Returns the view of messages, blocked keys and closed topics. */
    public JdbcOutboxAdmin admin() {
        return admin;
    }

    /** Returns the view of relays in all processes, and what operators want of them and of topics. */
    public JdbcRelayAdmin relays() {
        return JdbcRelayAdmin.of(dataSource, tables.outbox());
    }

    /** Returns the search, requeue, edit and discard of dead messages. */
    public JdbcDeadMessages deadMessages() {
        return deadMessages;
    }

    /** Returns the actions on many messages. */
    public JdbcBulkActions bulkActions() {
        return JdbcBulkActions.of(dataSource, tables.outbox());
    }

    /** Returns the removal of old messages, for a {@link dev.postrider.relay.RetentionJob}. */
    public JdbcRetention retention() {
        return JdbcRetention.of(relayDataSource, tables.outbox());
    }

    /** Returns the restore of messages from backup files of the safety net. */
    public JdbcRestore restore() {
        return restore;
    }

    /** Starts configuring an inbox whose handlers may enqueue messages in their transaction. */
    public JdbcInbox.Builder inbox() {
        return JdbcInbox.builder(dataSource).tables(tables.inbox()).outbox(outbox);
    }

    /** Returns the look-up, release and discard of received messages. */
    public InboxAdmin inboxAdmin() {
        return JdbcInboxAdmin.of(dataSource, tables.inbox());
    }

    /** Starts configuring an engine that runs sagas; register the definitions on it. */
    public SagaEngine.Builder sagas() {
        return SagaEngine.builder(dataSource).tables(tables.saga()).outbox(outbox);
    }

    /** Returns the view of sagas, and the operator's decisions about them. */
    public SagaAdmin sagaAdmin() {
        return SagaAdmin.of(dataSource, tables.saga());
    }

    /** Returns the tables of the outbox: to create, upgrade, check or measure. */
    public OutboxSchema outboxSchema() {
        return OutboxSchema.of(dataSource, tables.outbox());
    }

    /** Returns the tables of the inbox: to create, upgrade, check or measure. */
    public InboxSchema inboxSchema() {
        return InboxSchema.of(dataSource, tables.inbox());
    }

    /** Returns the tables of sagas: to create, upgrade, check or measure. */
    public SagaSchema sagaSchema() {
        return SagaSchema.of(dataSource, tables.saga());
    }
}
