package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.all.Postrider;
import dev.postrider.services.Availability;
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that psql inserts reach Kafka, RabbitMQ and HTTP through a server in a process of its own. */
final class ServerDeliveryIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int ROWS = 500;
    private static final int BEFORE_THE_KILL = 50;
    private static final String INSERT = """
            insert into outbox_message (id, topic, type, message_key, shard, payload, content_hash)
            select gen_random_uuid(), t.topic, 'placed', '42', 8, convert_to(n::text, 'UTF8'),
                   sha256(convert_to('|placed|', 'UTF8') || convert_to(n::text, 'UTF8'))
              from generate_series(%d, %d) n, (values ('orders'), ('invoices'), ('hooks')) t(topic)
             order by n;
            """;

    private final String name = "server-" + UUID.randomUUID();

    @TempDir
    Path folder;

    @Test
    void rowsOfPsqlArriveInOrderAlthoughTheServerIsKilled() throws Exception {
        assume(Database.available(Kind.POSTGRES_18));
        assume(KafkaServer.available());
        assume(RabbitServer.available());
        KafkaServer kafka = KafkaServer.shared();
        RabbitServer rabbit = RabbitServer.shared();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                Connection connection = connection(rabbit);
                Channel channel = connection.createChannel();
                Database database = Database.shared(Kind.POSTGRES_18).freshDatabase();
                HttpSink sink = HttpSink.start()) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get(2, TimeUnit.MINUTES);
            channel.queueDeclare(name, true, false, false, null);
            Postrider.on(database.dataSource()).build().migrate();
            Path config = config(database, kafka, rabbit, sink);

            psql(database, INSERT.formatted(1, ROWS));
            try (ChildJvm server = server(config)) {
                await().atMost(PATIENCE).until(() -> sink.payloads().size() >= BEFORE_THE_KILL);
                server.kill();
            }
            psql(database, INSERT.formatted(ROWS + 1, 2 * ROWS));
            try (ChildJvm server = server(config)) {
                List<String> all = IntStream.rangeClosed(1, 2 * ROWS)
                        .mapToObj(Integer::toString)
                        .toList();

                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(distinct(sink.payloads())).isEqualTo(all));
                List<String> fromKafka = new ArrayList<>();
                try (KafkaConsumer<String, String> consumer = consumer(kafka)) {
                    await().atMost(PATIENCE).until(() -> {
                        consumer.poll(Duration.ofMillis(200)).forEach(each -> fromKafka.add(each.value()));
                        return distinct(fromKafka).size() >= all.size();
                    });
                }
                List<String> fromRabbit = new ArrayList<>();
                await().atMost(PATIENCE).until(() -> {
                    drain(channel, fromRabbit);
                    return distinct(fromRabbit).size() >= all.size();
                });
                assertThat(distinct(fromKafka)).isEqualTo(all);
                assertThat(distinct(fromRabbit)).isEqualTo(all);
                server.terminate();
                assertThat(server.awaitExit(PATIENCE)).isIn(0, 128 + 15);
            }
        }
    }

    // A message may arrive twice; the first time counts for the order.
    private static List<String> distinct(List<String> payloads) {
        return payloads.stream().distinct().toList();
    }

    private ChildJvm server(Path config) {
        return ChildJvm.of(PostriderMain.class)
                .quickStart()
                .arguments("relay", "--config", config.toString())
                .start();
    }

    private Path config(Database database, KafkaServer kafka, RabbitServer rabbit, HttpSink sink) throws IOException {
        return Files.writeString(folder.resolve("server.yml"), """
                server.port: 0
                spring:
                  datasource:
                    url: "%s"
                    username: "%s"
                    password: "%s"
                  kafka:
                    bootstrap-servers: "%s"
                  rabbitmq:
                    addresses: "%s"
                postrider:
                  relay:
                    ownership-time: 10s
                  topics:
                    orders:
                      topic: "%s"
                    invoices:
                      exchange: ""
                      routing-key: "%s"
                    hooks:
                      url: "%s"
                """.formatted(
                        database.jdbcUrl(),
                        database.user(),
                        database.password(),
                        kafka.bootstrapServers(),
                        rabbit.uri(),
                        name,
                        name,
                        sink.url()));
    }

    private static void psql(Database database, String sql) throws IOException, InterruptedException {
        ProcessBuilder psql = new ProcessBuilder(
                "psql",
                "-q",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(database.port()),
                "-U",
                database.user(),
                "-d",
                database.name(),
                "-c",
                sql);
        psql.environment().put("PGPASSWORD", database.password());
        Process running = psql.redirectErrorStream(true).start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
    }

    private KafkaConsumer<String, String> consumer(KafkaServer kafka) {
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.assign(List.of(new TopicPartition(name, 0)));
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }

    private void drain(Channel channel, List<String> into) throws IOException {
        for (GetResponse got = channel.basicGet(name, true); got != null; got = channel.basicGet(name, true)) {
            into.add(new String(got.getBody(), StandardCharsets.UTF_8));
        }
    }

    private static Connection connection(RabbitServer rabbit) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        return factory.newConnection();
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }
}
