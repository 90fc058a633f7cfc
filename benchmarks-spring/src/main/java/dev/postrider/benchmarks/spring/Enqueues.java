package dev.postrider.benchmarks.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.services.Database;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Enqueues one message for each transaction: by JDBC alone, and by Spring and Jackson. */
final class Enqueues implements AutoCloseable {

    private static final byte[] PAYLOAD =
            "{\"articles\":[\"pencil\",\"paper\",\"eraser\"],\"cents\":12345,\"customer\":\"customer-1\",\"id\":\"order-1\"}"
                    .getBytes(StandardCharsets.UTF_8);

    private final ConfigurableApplicationContext context;
    private final TransactionTemplate transaction;
    private final Outbox spring;
    private final JdbcOutbox plain = JdbcOutbox.create();
    private final HikariDataSource pool;

    Enqueues(Database database) {
        this.context = SpringApplication.run(
                Shop.class,
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--postrider.relay.enabled=false",
                "--postrider.relay.notify-others=false",
                "--postrider.schema.mode=create-or-migrate",
                "--postrider.payload.types.order-placed=" + Order.class.getName(),
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password());
        this.transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        this.spring = context.getBean(Outbox.class);
        this.pool = context.getBean(HikariDataSource.class);
    }

    /** Returns the microseconds of one transaction with JDBC alone. */
    double plain(int transactions) throws SQLException {
        long begun = System.nanoTime();
        for (int i = 0; i < transactions; i++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                plain.enqueue(
                        connection,
                        OutboxMessage.to("orders", "order-placed")
                                .key("key-" + i)
                                .payload(PAYLOAD)
                                .build());
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
        return micros(begun, transactions);
    }

    /** Returns the microseconds of one transaction with Spring and Jackson. */
    double spring(int transactions) {
        long begun = System.nanoTime();
        for (int i = 0; i < transactions; i++) {
            Order order = Order.number(i);
            transaction.executeWithoutResult(status -> spring.enqueue("orders", order.id(), order));
        }
        return micros(begun, transactions);
    }

    private static double micros(long begun, int transactions) {
        return (System.nanoTime() - begun) / 1_000.0 / transactions;
    }

    @Override
    public void close() {
        context.close();
    }
}
