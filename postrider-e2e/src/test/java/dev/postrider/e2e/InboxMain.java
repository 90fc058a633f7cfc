package dev.postrider.e2e;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * A consumer in a process of its own, started by {@link InboxKillIT}. It gets the message again at which the process
 * before it was killed, and then one at which it stops at a fault point and waits to be killed.
 */
final class InboxMain {

    static final String NOTHING = "-";
    static final String CONSUMER = "billing";

    private InboxMain() {}

    public static void main(String[] arguments) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(arguments[0]);
        pool.setUsername(arguments[1]);
        pool.setPassword(arguments[2]);
        pool.setMaximumPoolSize(1);
        Inbox inbox = inbox(new HikariDataSource(pool));
        String redelivered = arguments[3];
        if (!redelivered.equals(NOTHING)) {
            InboxResult<String> result =
                    inbox.process(message(redelivered), CONSUMER, work -> effect(work, redelivered));
            print("again " + result);
        }
        String point = arguments[4];
        if (!point.equals(NOTHING)) {
            FaultPoints.install(reached -> waitToBeKilled(reached, point));
            inbox.process(message(point), CONSUMER, work -> {
                effect(work, point);
                if (point.equals("inbox.failed") || point.equals("inbox.counted")) {
                    throw new IllegalStateException("bad");
                }
                return point;
            });
        }
        print("end");
    }

    static Inbox inbox(DataSource dataSource) {
        return JdbcInbox.builder(dataSource)
                .parkAfter(1)
                .lockWait(Duration.ofMinutes(1))
                .build();
    }

    /** Returns a message whose payload is its name; the one that is parked at once has no id. */
    static ReceivedMessage message(String name) {
        return ReceivedMessage.from("orders")
                .id(name.equals("inbox.parked") ? null : name)
                .key(name)
                .source("orders-0@" + name)
                .payload(name.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    static String effect(InboxTransaction transaction, String name) throws SQLException {
        try (PreparedStatement insert =
                transaction.connection().prepareStatement("insert into effect (name) values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
            return name;
        }
    }

    private static void waitToBeKilled(String reached, String point) {
        if (reached.equals(point)) {
            print("at " + point);
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void print(String fact) {
        System.out.println(fact);
    }
}
