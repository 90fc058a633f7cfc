package dev.postrider.all;

import dev.postrider.EnqueueListener;
import dev.postrider.HeaderSource;
import dev.postrider.KeyRing;
import dev.postrider.MessageLimits;
import dev.postrider.OutboxMessage;
import dev.postrider.TenantPolicy;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.TransactionSource;
import dev.postrider.jdbc.operator.JdbcDeadMessages;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.operator.JdbcRestore;
import dev.postrider.publish.RoutingPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PayloadCodec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a {@link Postrider} handle; everything but the data source has a default. Not thread-safe. */
public final class PostriderBuilder {

    final DataSource dataSource;
    DataSource relayDataSource;
    Tables tables = Tables.defaults();
    String namespace = OutboxMessage.DEFAULT_NAMESPACE;
    private MessageLimits limits = MessageLimits.defaults();
    private TenantPolicy tenantPolicy = TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT;
    private EnqueueListener listener = message -> {};
    private HeaderSource headers = HeaderSource.NONE;
    private boolean deleteDelivered;
    private boolean acceptUnsigned;
    private Duration statementTimeout = Duration.ofSeconds(10);
    private @Nullable KeyRing signing;
    private @Nullable KeyRing encryption;
    private @Nullable TransactionSource transactions;
    private @Nullable PayloadCodec codec;
    private @Nullable MessagePublisher otherwise;
    private final Map<String, MessagePublisher> routes = new LinkedHashMap<>();

    PostriderBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.relayDataSource = dataSource;
    }

    /**
     * Sets the pool of relays. A relay that waits for the application's connections loses its shards. Default: one
     * pool.
     */
    public PostriderBuilder relayDataSource(DataSource value) {
        this.relayDataSource = Objects.requireNonNull(value, "relayDataSource");
        return this;
    }

    /** Sets the database schema of all tables. Default: where the connection looks. */
    public PostriderBuilder schema(String name) {
        this.tables = tables.inSchema(name);
        return this;
    }

    /** Sets the names of the outbox tables. Default: names that begin with {@code outbox_}. */
    public PostriderBuilder outboxTables(TableNames value) {
        this.tables = new Tables(value, tables.inbox(), tables.saga());
        return this;
    }

    /** Sets the names of the inbox tables. Default: names that begin with {@code inbox_}. */
    public PostriderBuilder inboxTables(TableNames value) {
        this.tables = new Tables(tables.outbox(), value, tables.saga());
        return this;
    }

    /** Sets the names of the saga tables. Default: names that begin with {@code saga_}. */
    public PostriderBuilder sagaTables(TableNames value) {
        this.tables = new Tables(tables.outbox(), tables.inbox(), value);
        return this;
    }

    /**
     * Sets the namespace of {@link Postrider#message}, {@link #codec} and {@link Postrider#claimer}. Default
     * {@code default}.
     */
    public PostriderBuilder namespace(String value) {
        this.namespace = Objects.requireNonNull(value, "namespace");
        return this;
    }

    /** Sets how large a message may be. Default {@link MessageLimits#defaults()}. */
    public PostriderBuilder limits(MessageLimits value) {
        this.limits = Objects.requireNonNull(value, "limits");
        return this;
    }

    /** Sets how tenant and dedupe key must fit. Default {@link TenantPolicy#DEDUPE_KEY_BEGINS_WITH_TENANT}. */
    public PostriderBuilder tenantPolicy(TenantPolicy value) {
        this.tenantPolicy = Objects.requireNonNull(value, "tenantPolicy");
        return this;
    }

    /** Sets the listener of every message that is enqueued, usually metrics. Default: none. */
    public PostriderBuilder listener(EnqueueListener value) {
        this.listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /** Sets what gives every message headers that it does not have, usually tracing. Default: nothing. */
    public PostriderBuilder headers(HeaderSource value) {
        this.headers = Objects.requireNonNull(value, "headers");
        return this;
    }

    /**
     * Sets where {@link JdbcOutbox#enqueue(OutboxMessage)} finds the open transaction. Default: it needs a connection.
     */
    public PostriderBuilder transactions(TransactionSource value) {
        this.transactions = Objects.requireNonNull(value, "transactions");
        return this;
    }

    /**
     * Sets what turns an object into a payload, for {@code outbox().enqueue(topic, key, object)}. Such messages have
     * the namespace of this handle. Default: only messages can be enqueued.
     */
    public PostriderBuilder codec(PayloadCodec value) {
        this.codec = Objects.requireNonNull(value, "codec");
        return this;
    }

    /** Signs what is enqueued, edited and restored, and verifies what is delivered. Default: no signature. */
    public PostriderBuilder sign(KeyRing ring) {
        this.signing = Objects.requireNonNull(ring, "ring");
        return this;
    }

    /** Lets rows without a signature pass while producers without the key still run. Default: they do not pass. */
    public PostriderBuilder acceptUnsigned() {
        this.acceptUnsigned = true;
        return this;
    }

    /** Encrypts payloads that are enqueued, and decrypts what is delivered. Default: no encryption. */
    public PostriderBuilder encrypt(KeyRing ring) {
        this.encryption = Objects.requireNonNull(ring, "ring");
        return this;
    }

    /** Removes a message as soon as it is delivered instead of keeping it for a purge. Default false. */
    public PostriderBuilder deleteDelivered(boolean enabled) {
        this.deleteDelivered = enabled;
        return this;
    }

    /** Sets how long one statement of a relay may take, in whole seconds. Default 10 s. */
    public PostriderBuilder statementTimeout(Duration value) {
        this.statementTimeout = Objects.requireNonNull(value, "statementTimeout");
        return this;
    }

    /** Sends the topics that match to this publisher, unless an earlier route matches. */
    public PostriderBuilder route(String pattern, MessagePublisher target) {
        if (routes.putIfAbsent(pattern, Objects.requireNonNull(target, "target")) != null) {
            throw new IllegalArgumentException("There is a route for '%s' already".formatted(pattern));
        }
        return this;
    }

    /** Sends all topics to this publisher that no {@link #route} matches. Default: such a topic waits. */
    public PostriderBuilder publisher(MessagePublisher value) {
        this.otherwise = Objects.requireNonNull(value, "publisher");
        return this;
    }

    /**
     * Builds the handle; nothing is sent to the database yet.
     *
     * @throws IllegalArgumentException if the settings do not fit together
     */
    public Postrider build() {
        if (acceptUnsigned && signing == null) {
            throw new IllegalArgumentException("acceptUnsigned needs sign(ring): without it no signature is checked");
        }
        return new Postrider(this);
    }

    JdbcOutbox outbox() {
        JdbcOutbox.Builder builder = JdbcOutbox.builder()
                .tables(tables.outbox())
                .limits(limits)
                .tenantPolicy(tenantPolicy)
                .listener(listener)
                .headers(headers);
        when(signing, builder::signWith);
        when(encryption, builder::encryptWith);
        when(transactions, builder::transactions);
        when(codec, each -> builder.codec(new NamespaceCodec(each, namespace)));
        return builder.build();
    }

    JdbcOutboxStore store() {
        JdbcOutboxStore.Builder builder = JdbcOutboxStore.builder(relayDataSource)
                .tables(tables.outbox())
                .deleteDelivered(deleteDelivered)
                .statementTimeout(statementTimeout);
        when(signing, builder::verifyWith);
        when(encryption, builder::decryptWith);
        if (acceptUnsigned) {
            builder.acceptUnsigned();
        }
        return builder.build();
    }

    JdbcOutboxAdmin admin() {
        JdbcOutboxAdmin.Builder builder = JdbcOutboxAdmin.builder(dataSource).tables(tables.outbox());
        when(signing, builder::verifyWith);
        when(encryption, builder::decryptWith);
        if (acceptUnsigned) {
            builder.acceptUnsigned();
        }
        return builder.build();
    }

    JdbcDeadMessages deadMessages() {
        JdbcDeadMessages.Builder builder =
                JdbcDeadMessages.builder(dataSource).tables(tables.outbox()).limits(limits);
        when(signing, ring -> builder.verifyWith(ring).signWith(ring));
        when(encryption, ring -> builder.decryptWith(ring).encryptWith(ring));
        if (acceptUnsigned) {
            builder.acceptUnsigned();
        }
        return builder.build();
    }

    JdbcRestore restore() {
        JdbcRestore.Builder builder = JdbcRestore.builder(dataSource).tables(tables.outbox());
        when(signing, builder::signWith);
        when(encryption, builder::encryptWith);
        return builder.build();
    }

    private static <T> void when(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    @Nullable MessagePublisher publisher() {
        if (routes.isEmpty()) {
            return otherwise;
        }
        RoutingPublisher.Builder routing = RoutingPublisher.builder();
        routes.forEach(routing::route);
        if (otherwise != null) {
            routing.otherwise(otherwise);
        }
        return routing.build();
    }
}
