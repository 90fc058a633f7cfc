package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim is refused, and what spoke against it is gone when the inbox asks for the reason. */
@Tag("I5")
final class ChangedRefusalTest {

    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").key("a").build();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageIsHandledWhenItsHolderGoesMeanwhile(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            hold(desk);
            Inbox inbox = inbox(desk, new AtomicInteger(), sql -> {
                if (asksForTheReason(sql)) {
                    free(desk);
                }
            });

            assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));

            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageWhoseHolderComesAndGoesIsBusyAfterTenRepeats(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            AtomicInteger repeats = new AtomicInteger();
            AtomicBoolean held = new AtomicBoolean();
            Inbox inbox = inbox(desk, repeats, sql -> {
                if (asksForTheReason(sql) && held.getAndSet(false)) {
                    free(desk);
                } else if (claims(sql) && !held.getAndSet(true)) {
                    hold(desk);
                }
            });

            assertThatThrownBy(() -> inbox.process(MESSAGE, CONSUMER, effect("m1")))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BUSY));

            assertThat(repeats).hasValue(10);
            assertThat(desk.effects()).isZero();
        }
    }

    private static boolean claims(String sql) {
        return sql.contains("insert") && sql.contains("inbox_message");
    }

    private static boolean asksForTheReason(String sql) {
        return sql.stripLeading().startsWith("select") && sql.contains("inbox_failure");
    }

    private static void hold(Desk desk) {
        desk.execute("insert into inbox_failure (consumer, message_id, topic, message_key, state, reason, attempts,"
                + " created_at, updated_at) values ('billing', 'holder', 'orders', 'a', 'PARKED', 'FAILED', 1,"
                + " current_timestamp, current_timestamp)");
    }

    private static void free(Desk desk) {
        desk.execute("delete from inbox_failure where message_id = 'holder'");
    }

    private static Inbox inbox(Desk desk, AtomicInteger repeats, Consumer<String> before) {
        DataSource pool = desk.pool();
        DataSource told = proxy(DataSource.class, (unused, method, arguments) -> {
            Object result = method.invoke(pool, arguments);
            return result instanceof Connection connection ? told(connection, before) : result;
        });
        return JdbcInbox.builder(told)
                .listener(new InboxListener() {
                    @Override
                    public void repeated(String consumer) {
                        repeats.incrementAndGet();
                    }
                })
                .build();
    }

    private static Connection told(Connection connection, Consumer<String> before) {
        return proxy(Connection.class, (unused, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                before.accept((String) arguments[0]);
            }
            return method.invoke(connection, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                ChangedRefusalTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return handler.invoke(proxy, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
