package dev.postrider.benchmarks.contest.arena;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.services.Database;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import dev.postrider.services.ServerOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/** The servers of the contest, each started when it is first needed. Every commit waits for the disk. */
public final class Servers implements AutoCloseable {

    private static final int PARTITIONS = 8;
    private static final ServerOptions DURABLE =
            ServerOptions.defaults().withDurable(true).withBufferMegabytes(512);

    private final Map<String, Database> databases = new HashMap<>();
    private final Deque<Runnable> open = new ArrayDeque<>();
    private @Nullable KafkaServer kafka;
    private @Nullable RabbitServer rabbit;

    public Database database(DatabaseKind kind, Entrant entrant) {
        if (kind == DatabaseKind.MARIADB) {
            return start("MariaDB", Database.Kind.MARIADB, DURABLE.withSetting("innodb_log_file_size", "1G"));
        }
        return entrant.is(Entrant.Trait.LOGICAL_LOG)
                ? start("PostgreSQL with wal_level=logical", Database.Kind.POSTGRES_18, postgres("logical"))
                : start("PostgreSQL", Database.Kind.POSTGRES_18, postgres("replica"));
    }

    // No checkpoint falls into a measurement by chance; each contender begins after one.
    private static ServerOptions postgres(String walLevel) {
        return DURABLE.withSettings(Map.of(
                "wal_level", walLevel,
                "max_wal_size", "8GB",
                "checkpoint_timeout", "30min",
                "shared_preload_libraries", "pg_stat_statements"));
    }

    private Database start(String name, Database.Kind kind, ServerOptions options) {
        return databases.computeIfAbsent(name, absent -> {
            Progress.say("starting " + name);
            Database database = Database.start(kind, options);
            open.push(database::close);
            return database;
        });
    }

    /** Returns the address of the sink's broker, or nothing if it needs none. */
    public String broker(SinkKind sink) {
        return switch (sink) {
            case NOOP, HANDLER, WORK -> "";
            case KAFKA -> kafka().bootstrapServers();
            case RABBITMQ -> rabbit().uri();
        };
    }

    private KafkaServer kafka() {
        if (kafka == null) {
            Progress.say("starting Kafka");
            kafka = KafkaServer.start();
            open.push(kafka::close);
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.createTopics(List.of(new NewTopic(Cargo.TOPIC, PARTITIONS, (short) 1)))
                        .all()
                        .get(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("Could not create the topic", e);
            }
        }
        return kafka;
    }

    private RabbitServer rabbit() {
        if (rabbit == null) {
            Progress.say("starting RabbitMQ");
            rabbit = RabbitServer.start();
            open.push(rabbit::close);
        }
        declare(rabbit);
        return rabbit;
    }

    // Every trial finds an empty queue.
    private static void declare(RabbitServer rabbit) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(rabbit.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                channel.exchangeDeclare(Cargo.TOPIC, BuiltinExchangeType.TOPIC, true);
                channel.queueDeclare(Cargo.TOPIC, true, false, false, Map.of());
                channel.queueBind(Cargo.TOPIC, Cargo.TOPIC, "#");
                channel.queuePurge(Cargo.TOPIC);
            }
        } catch (Exception e) {
            throw new IllegalStateException("Could not declare the queue", e);
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
