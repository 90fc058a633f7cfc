package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;

/** Makes topics on a broker that has just started. */
final class KafkaTopics {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private KafkaTopics() {}

    static void create(String bootstrapServers, Collection<String> topics, int partitions) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            await().atMost(PATIENCE).until(() -> create(admin, topics, partitions));
        }
    }

    // On a busy machine the controller may take the broker for dead for a moment, and some topics may exist by then.
    private static boolean create(Admin admin, Collection<String> topics, int partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Set<String> existing = admin.listTopics().names().get(60, TimeUnit.SECONDS);
        List<NewTopic> missing = topics.stream()
                .filter(topic -> !existing.contains(topic))
                .map(topic -> new NewTopic(topic, partitions, (short) 1))
                .toList();
        try {
            admin.createTopics(missing).all().get(60, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidReplicationFactorException
                    || e.getCause() instanceof RetriableException) {
                return false;
            }
            throw e;
        }
    }
}
