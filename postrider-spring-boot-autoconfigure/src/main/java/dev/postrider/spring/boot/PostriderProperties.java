package dev.postrider.spring.boot;

import dev.postrider.relay.KeyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of Postrider.
 *
 * @param schema settings of the tables
 * @param outbox settings of what is enqueued
 * @param relay settings of the relay, which delivers messages
 * @param topics where the messages of each topic go, by topic or pattern such as orders or shop/orders.*
 * @param publisher publisher of the topics that are not listed: kafka, rabbitmq, http or handler
 * @param retention how long rows are kept
 * @param inbox settings of the inbox, which gives each received message one effect
 * @param saga settings of the saga engine
 * @param hibernate settings of the events that entities record
 * @param payload settings of objects as payloads
 * @param console settings of the operators' API and pages inside this application
 */
@ConfigurationProperties(prefix = "postrider", ignoreUnknownFields = false)
public record PostriderProperties(
        @DefaultValue Schema schema,
        @DefaultValue Outbox outbox,
        @DefaultValue Relay relay,
        @DefaultValue Map<String, Topic> topics,
        @Nullable String publisher,
        @DefaultValue Retention retention,
        @DefaultValue Inbox inbox,
        @DefaultValue Saga saga,
        @DefaultValue Hibernate hibernate,
        @DefaultValue Payload payload,
        @DefaultValue Console console) {

    /** Copies the topics. */
    public PostriderProperties {
        topics = Map.copyOf(topics);
    }

    /**
     * Settings of the tables.
     *
     * @param mode what to do about the tables at start: create-or-migrate, validate or none. By default
     *     create-or-migrate on an embedded database, and validate on any other
     * @param name database schema of the tables; none means where the connection looks
     */
    public record Schema(@Nullable Mode mode, @Nullable String name) {

        /** What happens to the tables when the application starts. */
        public enum Mode {
            /** Create the tables, or bring them up to date. */
            CREATE_OR_MIGRATE,
            /** Fail unless the tables exist and fit this version. */
            VALIDATE,
            /** Look at nothing. */
            NONE
        }
    }

    /**
     * Settings of what is enqueued.
     *
     * @param namespace namespace of messages that name none
     * @param tablePrefix what the names of the outbox tables begin with
     */
    public record Outbox(
            @DefaultValue("default") String namespace,
            @DefaultValue("outbox_") String tablePrefix) {}

    /**
     * Settings of the relay.
     *
     * @param enabled whether this application delivers messages
     * @param preset settings that belong together: saga, lease, domain-events, kafka-orders or safety-net
     * @param name name of the relay in the database; a random suffix makes it unique
     * @param pollInterval longest wait of an idle relay between two looks at the table
     * @param batchSize how many messages one fetch reads
     * @param publishTimeout how long a broker may take to answer for a message
     * @param ownershipTime how long a relay that is silent keeps its shards
     * @param stopTimeout how long a stop waits for the answers of the broker
     * @param activeRelays how many relays deliver at a time; further ones stand by
     * @param keyPolicy what a failed message does to later messages of its key: block-key or park-and-continue
     * @param poolSize connections of the relay's own pool; 0 means the application's pool
     * @param notifyOthers whether relays in other processes are woken after a commit, on PostgreSQL
     * @param allowPlaintext whether brokers and endpoints on other machines may be reached without encryption
     * @param allowPrivate whether the hosts of endpoints may have private addresses; loopback addresses always may
     * @param retry delays between attempts
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @Nullable String preset,
            @Nullable String name,
            @Nullable Duration pollInterval,
            @Nullable Integer batchSize,
            @Nullable Duration publishTimeout,
            @Nullable Duration ownershipTime,
            @Nullable Duration stopTimeout,
            @Nullable Integer activeRelays,
            @Nullable KeyPolicy keyPolicy,
            @DefaultValue("4") int poolSize,
            @DefaultValue("true") boolean notifyOthers,
            @DefaultValue("false") boolean allowPlaintext,
            @DefaultValue("false") boolean allowPrivate,
            @DefaultValue Retry retry) {}

    /**
     * Delays between attempts.
     *
     * @param firstDelay delay after the first failed attempt
     * @param maxDelay longest delay; each delay is twice the one before up to this
     * @param maxAttempts failed attempts after which a message is dead
     * @param jitter whether a delay is shortened by a random part of up to half
     */
    public record Retry(
            @Nullable Duration firstDelay,
            @Nullable Duration maxDelay,
            @Nullable Integer maxAttempts,
            @DefaultValue("true") boolean jitter) {

        /** Whether any of the settings has a value. */
        public boolean isSet() {
            return firstDelay != null || maxDelay != null || maxAttempts != null;
        }
    }

    /**
     * Where the messages of a topic go.
     *
     * @param publisher publisher of the topic: kafka, rabbitmq, http or handler
     * @param topic template of the Kafka topic
     * @param exchange template of the RabbitMQ exchange
     * @param routingKey template of the RabbitMQ routing key
     * @param url endpoint that gets each message as an HTTP request
     */
    public record Topic(
            @Nullable String publisher,
            @Nullable String topic,
            @Nullable String exchange,
            @Nullable String routingKey,
            @Nullable String url) {}

    /**
     * How long rows are kept.
     *
     * @param enabled whether this application removes old rows
     * @param delivered how long delivered messages are kept
     */
    public record Retention(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("30d") Duration delivered) {}

    /**
     * Settings of the inbox.
     *
     * @param tablePrefix what the names of the inbox tables begin with
     * @param retention how long the marks of handled messages are kept
     * @param parkAfter failures after which a received message is parked
     * @param enabled whether methods with InboxListener receive messages in this application
     * @param lockWait how long a message waits while another process handles the same one
     * @param purge whether this application removes old marks
     * @param allowPlaintext whether brokers on other machines may be reached without encryption
     */
    public record Inbox(
            @DefaultValue("inbox_") String tablePrefix,
            @DefaultValue("14d") Duration retention,
            @DefaultValue("5") int parkAfter,
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration lockWait,
            @DefaultValue("true") boolean purge,
            @DefaultValue("false") boolean allowPlaintext) {}

    /**
     * Settings of the saga engine.
     *
     * @param enabled whether this application runs sagas that are due
     * @param tablePrefix what the names of the saga tables begin with
     * @param threads threads that run sagas
     * @param retention how long sagas are kept after they have finished
     * @param purge whether this application removes old sagas
     */
    public record Saga(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("saga_") String tablePrefix,
            @DefaultValue("2") int threads,
            @DefaultValue("30d") Duration retention,
            @DefaultValue("true") boolean purge) {}

    /**
     * Settings of the events that entities of Hibernate record.
     *
     * @param enabled whether the events that entities record are enqueued
     */
    public record Hibernate(@DefaultValue("true") boolean enabled) {}

    /**
     * Settings of objects as payloads.
     *
     * @param types classes of payloads by their name in messages; [order.placed:2] is version 2 of order.placed
     */
    public record Payload(@DefaultValue Map<String, Class<?>> types) {

        /** Copies the types. */
        public Payload {
            types = Map.copyOf(types);
        }
    }

    /**
     * Settings of the operators' API and pages inside this application.
     *
     * @param enabled whether this application serves the operators' API and pages
     * @param path path of the API and pages in this application
     * @param source name that the API gives to the database of this application
     * @param poolSize connections of the console's own pool; 0 means the application's pool
     * @param statementTimeout how long one statement of the console may take
     * @param roles which authorities of Spring Security may do what
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/postrider") String path,
            @DefaultValue("main") String source,
            @DefaultValue("4") int poolSize,
            @DefaultValue("30s") Duration statementTimeout,
            @DefaultValue Roles roles) {}

    /**
     * Which authorities of Spring Security may do what.
     *
     * @param viewer authorities that may look at everything, such as ROLE_USER
     * @param operator authorities that may also decide about messages, relays, topics and sagas
     * @param admin authorities that may do everything
     */
    public record Roles(
            @DefaultValue List<String> viewer,
            @DefaultValue List<String> operator,
            @DefaultValue List<String> admin) {

        /** Copies the authorities. */
        public Roles {
            viewer = List.copyOf(viewer);
            operator = List.copyOf(operator);
            admin = List.copyOf(admin);
        }
    }
}
