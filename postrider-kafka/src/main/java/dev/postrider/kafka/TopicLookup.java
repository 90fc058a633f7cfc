package dev.postrider.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Asks the broker about topics. Thread-safe. */
final class TopicLookup implements AutoCloseable {

    private final Map<String, Object> config;
    private final Executor executor;
    private final TopicWarnings warnings = new TopicWarnings();
    private @Nullable Admin admin;
    private boolean closed;

    TopicLookup(Map<String, Object> config, Executor executor) {
        this.config = config;
        this.executor = executor;
    }

    /** Returns what was found out about topics that limits a promise. */
    List<String> warnings() {
        return warnings.texts();
    }

    /** Finds out whether the topic exists and may be written to, without blocking the caller. */
    CompletionStage<Topic> find(String topic) {
        return CompletableFuture.supplyAsync(this::admin, executor)
                .thenCompose(client -> describe(client, topic).thenCombine(config(client, topic), this::topic));
    }

    // Here and not in the constructor: it resolves the broker's name, which may take long or fail for now.
    private synchronized Admin admin() {
        if (closed) {
            throw new IllegalStateException("The publisher is closed");
        }
        if (admin == null) {
            admin = Admin.create(config);
        }
        return admin;
    }

    private static CompletionStage<TopicDescription> describe(Admin client, String topic) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        return client.describeTopics(List.of(topic), options)
                .allTopicNames()
                .toCompletionStage()
                .thenApply(TopicLookup::only);
    }

    // Not every user may read a topic's configuration; then the broker itself rejects what is too large.
    private CompletionStage<Optional<Config>> config(Admin client, String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return client.describeConfigs(List.of(resource))
                .all()
                .toCompletionStage()
                .thenApply(answers -> Optional.of(only(answers)))
                .exceptionally(error -> {
                    warnings.unreadable(topic, error);
                    return Optional.empty();
                });
    }

    private static <T> T only(Map<?, T> answers) {
        return answers.values().iterator().next();
    }

    private static int maxMessageBytes(Config topicConfig) {
        ConfigEntry entry = topicConfig.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return entry == null || entry.value() == null ? Integer.MAX_VALUE : Integer.parseInt(entry.value());
    }

    private Topic topic(TopicDescription description, Optional<Config> config) {
        @Nullable Set<AclOperation> allowed = description.authorizedOperations();
        if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.WRITE)) {
            throw new TopicAuthorizationException(Set.of(description.name()));
        }
        warnings.check(description, config.orElse(null));
        int limit = config.map(TopicLookup::maxMessageBytes).orElse(Integer.MAX_VALUE);
        return new Topic(description.name(), description.partitions().size(), limit);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
