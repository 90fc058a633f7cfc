package dev.postrider.kafka;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to Kafka with {@code acks=all} and an idempotent producer. A topic that is missing or forbidden answers
 * <em>unavailable</em> and holds up no other; a producer that timed out is replaced. Thread-safe; publish does not wait
 * for the broker.
 */
public final class KafkaPublisher implements MessagePublisher {

    private final Records records;
    private final SizeLimit limit;
    private final Unanswered unanswered;
    private final Threads threads;
    private final TopicLookup lookup;
    private final TopicDirectory directory;
    private final Sender sender;

    KafkaPublisher(ProducerConfig config, Records records, Duration answerWithin, @Nullable String idPrefix) {
        this.records = records;
        this.limit = SizeLimit.of(config);
        this.unanswered = new Unanswered(answerWithin);
        this.threads = new Threads(idPrefix == null ? 0 : Threads.TRANSACTIONS, this::tick);
        this.lookup = new TopicLookup(ProducerSettings.admin(config), threads.lookups());
        this.directory = new TopicDirectory(this::find, this::deliver, this::endWave, System::nanoTime);
        Producers producers = new Producers(config);
        int batchSize = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        this.sender = idPrefix == null
                ? new IdempotentSender(producers, batchSize, threads.lookups(), directory::forgetAll)
                : new TransactionalSender(
                        shard -> producers.transactional(idPrefix + "-" + shard), batchSize, threads.transactions());
    }

    /** Starts configuring a publisher for the cluster of these servers, {@code host:port} separated by commas. */
    public static KafkaPublisherBuilder builder(String bootstrapServers) {
        return builder(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /** Starts configuring a publisher with the settings of a Kafka producer. */
    public static KafkaPublisherBuilder builder(Map<String, ?> producerSettings) {
        return new KafkaPublisherBuilder(Map.copyOf(producerSettings));
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        Map<String, List<Pending>> byTopic = new LinkedHashMap<>();
        Wave pending = new Wave(wave.size(), answers);
        for (ClaimedMessage claimed : wave) {
            ProducerRecord<byte[], byte[]> data = data(claimed, answers);
            if (data != null) {
                byTopic.computeIfAbsent(data.topic(), topic -> new ArrayList<>())
                        .add(pending.add(claimed, data));
            }
        }
        unanswered.add(pending);
        threads.startTicking();
        byTopic.forEach(directory::route);
        sender.endWave();
    }

    private @Nullable ProducerRecord<byte[], byte[]> data(ClaimedMessage claimed, PublishAnswers answers) {
        try {
            return records.of(claimed);
        } catch (IllegalArgumentException e) {
            answers.answer(claimed, PublishResult.rejected(ErrorText.clean(String.valueOf(e.getMessage()))));
            return null;
        }
    }

    private CompletionStage<Topic> find(String name) {
        return lookup.find(name).thenCompose(topic -> sender.prepare(topic).thenApply(ready -> topic));
    }

    private List<Pending> deliver(Topic topic, List<Pending> messages) {
        List<Pending> fitting = new ArrayList<>(messages.size());
        for (Pending message : messages) {
            PublishResult tooLarge = limit.check(message.data(), topic);
            if (tooLarge == null) {
                fitting.add(message);
            } else {
                message.answer(tooLarge);
            }
        }
        return sender.send(topic, fitting);
    }

    private void endWave() {
        sender.endWave();
    }

    private void tick() {
        unanswered.expire(sender::late);
        sender.tidy();
    }

    @Override
    public List<String> warnings() {
        return lookup.warnings();
    }

    @Override
    public long restarts() {
        return threads.restarts();
    }

    /** Ends all sending; messages without an answer get <em>unavailable</em>, now and later. */
    @Override
    public void close() {
        sender.close();
        unanswered.close();
        lookup.close();
        threads.close();
    }
}
