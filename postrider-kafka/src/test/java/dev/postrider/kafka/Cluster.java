package dev.postrider.kafka;

import dev.postrider.services.Availability;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** What an operator and a consumer do with a broker. */
final class Cluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final KafkaServer server;
    private final Admin admin;
    private final Map<String, KafkaConsumer<byte[], byte[]>> consumers = new HashMap<>();

    private Cluster(KafkaServer server) {
        this.server = server;
        this.admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
    }

    static Cluster shared() {
        require();
        return new Cluster(KafkaServer.shared());
    }

    static Cluster start(KafkaOptions options) {
        require();
        return new Cluster(KafkaServer.start(options));
    }

    private static void require() {
        Availability availability = KafkaServer.available();
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }

    KafkaServer server() {
        return server;
    }

    /** A publisher without a name, which may do everything. */
    KafkaPublisherBuilder publisher() {
        return patient(KafkaPublisher.builder(server.bootstrapServers()));
    }

    /** A publisher that ACLs apply to. */
    KafkaPublisherBuilder namedPublisher() {
        KafkaPublisherBuilder builder = patient(KafkaPublisher.builder(server.saslBootstrapServers()));
        server.publisherSettings().forEach(builder::property);
        return builder;
    }

    /** Sets time-outs that only a hang exceeds, not a busy machine. */
    static KafkaPublisherBuilder patient(KafkaPublisherBuilder builder) {
        return builder.property("delivery.timeout.ms", 55_000)
                .property("request.timeout.ms", 50_000)
                .answerWithin(PATIENCE);
    }

    static String freshName() {
        return "topic-" + NAMES.incrementAndGet();
    }

    String freshTopic() {
        String topic = freshName();
        create(topic, Map.of());
        return topic;
    }

    void create(String topic, Map<String, String> config) {
        create(topic, 3, config);
    }

    /** Makes a topic and waits until the broker knows it, which is a moment after the controller has made it. */
    void create(String topic, int partitions, Map<String, String> config) {
        await(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
                .all());
        Awaitility.await().atMost(PATIENCE).until(() -> knows(topic, partitions));
    }

    private boolean knows(String topic, int partitions) {
        try {
            return await(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                            .flatMap(description -> description.partitions().stream())
                            .filter(partition -> partition.leader() != null)
                            .count()
                    == partitions;
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof ExecutionException failed
                    && failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    void delete(String topic) {
        await(admin.deleteTopics(List.of(topic)).all());
    }

    /** Forbids an operation on a topic to the named publisher and waits until that holds. */
    void forbid(String topic, AclOperation operation) {
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        AccessControlEntry everyone = new AccessControlEntry("User:*", "*", AclOperation.ALL, AclPermissionType.ALLOW);
        AccessControlEntry nobody = new AccessControlEntry("User:publisher", "*", operation, AclPermissionType.DENY);
        await(admin.createAcls(List.of(new AclBinding(pattern, everyone), new AclBinding(pattern, nobody)))
                .all());
        Map<String, Object> config = new HashMap<>(server.publisherSettings());
        config.put("bootstrap.servers", server.saslBootstrapServers());
        try (Admin publisher = Admin.create(config)) {
            Awaitility.await().atMost(PATIENCE).until(() -> !allows(publisher, topic, operation));
        }
    }

    private static boolean allows(Admin user, String topic, AclOperation operation) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        try {
            return await(user.describeTopics(List.of(topic), options).allTopicNames())
                    .values()
                    .iterator()
                    .next()
                    .authorizedOperations()
                    .contains(operation);
        } catch (IllegalStateException e) {
            // Not even this.
            return false;
        }
    }

    /** Returns what a consumer sees in a topic, in the order of each partition. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return read(topic, "read_uncommitted");
    }

    /** Returns what a consumer sees that waits for transactions to end, which a commit does only a moment later. */
    List<ConsumerRecord<byte[], byte[]>> readCommitted(String topic) {
        return read(topic, "read_committed");
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, String isolation) {
        KafkaConsumer<byte[], byte[]> consumer = consumers.computeIfAbsent(isolation, this::consumer);
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
            consumer.poll(Duration.ofMillis(100)).forEach(found::add);
        }
        return found;
    }

    /** Returns where a topic's first partition ends; the ends of transactions take a place each. */
    long endOfFirstPartition(String topic) {
        TopicPartition first = new TopicPartition(topic, 0);
        return consumers
                .computeIfAbsent("read_uncommitted", this::consumer)
                .endOffsets(List.of(first))
                .getOrDefault(first, 0L);
    }

    /** Sends records and waits until the broker has them. */
    void send(List<ProducerRecord<byte[], byte[]>> records) {
        // A partition that has just been made may refuse the first request and then every later one as out of order.
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                server.bootstrapServers(),
                "linger.ms",
                5,
                "max.in.flight.requests.per.connection",
                1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent =
                    records.stream().map(producer::send).toList();
            producer.flush();
            for (Future<RecordMetadata> each : sent) {
                each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns how many records of a topic the group has not committed, so that they would come again. */
    long uncommitted(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        KafkaConsumer<byte[], byte[]> reader = consumers.computeIfAbsent("read_uncommitted", this::consumer);
        List<TopicPartition> partitions = reader.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
        long left = 0;
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = committed.get(partition);
            left += ends.getOrDefault(partition, 0L) - (offset == null ? 0 : offset.offset());
        }
        return left;
    }

    /** Returns how many members a group has, also those that wait for a rebalance to end. */
    int members(String group) {
        return members(admin, group);
    }

    /** Returns the same through the broker's other door, in front of which there is no proxy. */
    int membersBehindTheProxy(String group) {
        Map<String, Object> config = new HashMap<>(server.publisherSettings());
        config.put("bootstrap.servers", server.saslBootstrapServers());
        try (Admin direct = Admin.create(config)) {
            return members(direct, group);
        }
    }

    private static int members(Admin admin, String group) {
        return await(admin.describeConsumerGroups(List.of(group)).all())
                .values()
                .iterator()
                .next()
                .members()
                .size();
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", server.bootstrapServers(), "isolation.level", isolation, "fetch.max.wait.ms", 10);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        consumers.values().forEach(KafkaConsumer::close);
        admin.close(Duration.ZERO);
        server.close();
    }
}
