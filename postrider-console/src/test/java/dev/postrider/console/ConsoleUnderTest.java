package dev.postrider.console;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.relay.ManualRelay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API over one source called main, on a database of its own. */
public final class ConsoleUnderTest implements AutoCloseable {

    public static final String S = "/api/v1/sources/main";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int EVERYTHING = 1_000;

    private final HikariDataSource pool;
    private final Postrider postrider;
    private final ConsoleApi api;

    private ConsoleUnderTest(HikariDataSource pool, Consumer<ConsoleSource.Builder> more) {
        this.pool = pool;
        this.postrider = Postrider.on(pool).build();
        ConsoleSource.Builder source = ConsoleSource.builder("main", postrider, pool);
        more.accept(source);
        this.api = ConsoleApi.of(List.of(source.build()));
    }

    public static ConsoleUnderTest on(Kind kind) {
        return on(kind, source -> {});
    }

    public static ConsoleUnderTest on(Kind kind, Consumer<ConsoleSource.Builder> more) {
        ConsoleUnderTest console = empty(kind, more);
        console.postrider.migrate();
        return console;
    }

    /** A console whose tables were not made. */
    public static ConsoleUnderTest empty(Kind kind, Consumer<ConsoleSource.Builder> more) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        HikariConfig config = new HikariConfig();
        config.setDataSource(Database.shared(kind).freshDatabase().dataSource());
        config.setMaximumPoolSize(6);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(60_000);
        return new ConsoleUnderTest(new HikariDataSource(config), more);
    }

    public ConsoleApi api() {
        return api;
    }

    public Postrider postrider() {
        return postrider;
    }

    public HikariDataSource pool() {
        return pool;
    }

    public UUID enqueue(OutboxMessage message) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            UUID id = postrider.outbox().enqueue(connection, message).id();
            connection.commit();
            return id;
        }
    }

    public UUID enqueue(String topic, String key) throws SQLException {
        return enqueue(
                OutboxMessage.to(topic, "Placed").key(key).payload("{\"a\":1}").build());
    }

    /** Lets every pending message die with this error. */
    public void kill(String error) {
        work(1, (relay, claimed) -> relay.nack(claimed, error));
    }

    /** Lets every pending message fail once with this error. */
    public void fail(String error) {
        work(20, (relay, claimed) -> relay.nack(claimed, error));
    }

    /** Delivers every pending message. */
    public void deliver() {
        work(20, ManualRelay::ack);
    }

    private void work(int attempts, BiConsumer<ManualRelay, ClaimedMessage> each) {
        Duration wait = Duration.ofHours(1);
        ManualRelay relay = postrider.claimer("worker", RetryPolicy.exponential(wait, wait, attempts));
        List<ClaimedMessage> claimed = relay.claim(EVERYTHING, Duration.ofMinutes(5));
        while (!claimed.isEmpty()) {
            claimed.forEach(message -> each.accept(relay, message));
            claimed = relay.claim(EVERYTHING, Duration.ofMinutes(5));
        }
    }

    public ConsoleResponse as(ConsoleRole role, String method, String path, Map<String, String> query, String body) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        return api.handle(new ConsoleRequest(method, path, parameters, body, new Caller("ada", role)));
    }

    public ConsoleResponse get(String path, Map<String, String> query) {
        return as(ConsoleRole.ADMIN, "GET", S + path, query, "");
    }

    public JsonNode read(String path) {
        return read(path, Map.of());
    }

    public JsonNode read(String path, Map<String, String> query) {
        return json(get(path, query));
    }

    public ConsoleResponse post(String path, String body) {
        return as(ConsoleRole.ADMIN, "POST", S + path, Map.of(), body);
    }

    public static JsonNode json(ConsoleResponse response) {
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        api.close();
        pool.close();
    }
}
