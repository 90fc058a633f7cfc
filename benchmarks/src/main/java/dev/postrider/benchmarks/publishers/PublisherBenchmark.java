package dev.postrider.benchmarks.publishers;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.services.Database;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import dev.postrider.services.ServerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drains one outbox to every publisher in turn, round by round, and prints how they compare. */
@Command(
        name = "./benchmarks/publishers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts PostgreSQL, Kafka and RabbitMQ and drains an outbox through a relay to a publisher that does nothing,"
                    + " to Kafka and to RabbitMQ, and sends the same load with RabbitMQ's client alone. Rounds of all are"
                    + " interleaved and compared one by one.",
            "Last line: kafka/noop=X rabbitmq/bare=Y"
        })
public final class PublisherBenchmark implements Callable<Integer> {

    private static final int PARTITIONS = 8;
    private static final int WARM_UP_ROUNDS = 3;

    @Option(names = "--messages", description = "Messages of one round. Default ${DEFAULT-VALUE}.")
    private int messages = 50_000;

    @Option(names = "--keys", description = "Keys they are spread over. Default ${DEFAULT-VALUE}.")
    private int keys = 1_000;

    @Option(names = "--bytes", description = "Payload of one message. Default ${DEFAULT-VALUE}.")
    private int bytes = 300;

    @Option(names = "--rounds", description = "Measured rounds. Default ${DEFAULT-VALUE}.")
    private int rounds = 7;

    private final Results results = new Results();

    private PublisherBenchmark() {}

    /** Runs the benchmark; exit code 0 if every message of every round was delivered. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new PublisherBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Load load = new Load(messages, keys, bytes);
        progress("starting PostgreSQL, Kafka and RabbitMQ");
        try (RabbitServer rabbit = RabbitServer.start();
                KafkaServer kafka = KafkaServer.start();
                Database postgres = Database.start(
                        Database.Kind.POSTGRES_18, ServerOptions.defaults().withDurable(true))) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(rabbit.uri());
            declare(factory);
            create(kafka);
            compete(contenders(postgres, kafka, factory), load);
        }
        System.out.println(results.table());
        System.out.printf(
                Locale.ROOT,
                "rabbitmq/bodies=%.2f (the client alone, without id, type, time, key and sequence)%n",
                results.ratio("rabbitmq", "rabbitmq bodies"));
        System.out.printf(
                Locale.ROOT,
                "kafka/noop=%.2f rabbitmq/bare=%.2f%n",
                results.ratio("kafka", "noop"),
                results.ratio("rabbitmq", "rabbitmq bare"));
        return 0;
    }

    private static List<Contender> contenders(Database postgres, KafkaServer kafka, ConnectionFactory factory) {
        KafkaPublisher kafkaPublisher =
                KafkaPublisher.builder(kafka.bootstrapServers()).build();
        RabbitPublisher rabbitPublisher = RabbitPublisher.builder(factory).build();
        KafkaCount arrived = new KafkaCount(kafka);
        return List.of(
                new Drain("noop", postgres, new NoopPublisher(), load -> {}),
                new Drain("kafka", postgres, kafkaPublisher, arrived::check),
                new Drain("rabbitmq", postgres, rabbitPublisher, load -> purge(factory, load)),
                BareRabbit.sameMessage(factory, load -> purge(factory, load)),
                BareRabbit.bodiesOnly(factory, load -> purge(factory, load)));
    }

    private void compete(List<Contender> contenders, Load load) throws Exception {
        try {
            for (int round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
                List<String> rates = new ArrayList<>();
                for (Contender contender : contenders) {
                    double rate = contender.run(load);
                    rates.add(String.format(Locale.ROOT, "%s %.0f/s", contender.name(), rate));
                    if (round > 0) {
                        results.add(contender.name(), rate);
                    }
                }
                progress((round > 0 ? "round %d of %d: ".formatted(round, rounds) : "warm-up: ")
                        + String.join(", ", rates));
            }
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
    }

    private static void declare(ConnectionFactory factory) throws Exception {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(Load.TOPIC, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(Load.TOPIC, true, false, false, Map.of());
            channel.queueBind(Load.TOPIC, Load.TOPIC, "#");
        }
    }

    // Every message must be in the queue, and the next round finds it empty.
    private static void purge(ConnectionFactory factory, Load load) throws Exception {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            int found = channel.queuePurge(Load.TOPIC).getMessageCount();
            if (found != load.messages()) {
                throw new IllegalStateException("RabbitMQ has %d of %d messages".formatted(found, load.messages()));
            }
        }
    }

    private static void create(KafkaServer kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(Load.TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static void progress(String what) {
        System.err.println(what);
    }

    /** Checks after each round that Kafka has as many records more as were sent. */
    private static final class KafkaCount {

        private final KafkaServer kafka;
        private long before;

        private KafkaCount(KafkaServer kafka) {
            this.kafka = kafka;
        }

        private void check(Load load) throws Exception {
            long now = count();
            if (now - before != load.messages()) {
                throw new IllegalStateException("Kafka has %d of %d messages".formatted(now - before, load.messages()));
            }
            before = now;
        }

        private long count() throws Exception {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ends.put(new TopicPartition(Load.TOPIC, partition), OffsetSpec.latest());
            }
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                return admin.listOffsets(ends).all().get(30, TimeUnit.SECONDS).values().stream()
                        .collect(Collectors.summingLong(ListOffsetsResultInfo::offset));
            }
        }
    }
}
