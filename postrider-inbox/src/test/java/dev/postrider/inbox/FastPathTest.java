package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The look for a mark before a transaction is begun. */
final class FastPathTest {

    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").key("a").sequence(1L).build();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void duplicateBeginsATransactionOnlyWithoutTheFastPath(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (Dedupe dedupe : Dedupe.values()) {
                String consumer = dedupe.name();
                AtomicInteger duplicates = new AtomicInteger();
                JdbcInbox.Builder builder = desk.inbox().dedupe(dedupe).listener(counting(duplicates));
                Inbox quick = builder.fastPath(true).build();
                Inbox plain = builder.fastPath(false).build();
                List<String> points = new CopyOnWriteArrayList<>();

                try (FaultPoints faults = FaultPoints.install(points::add)) {
                    assertThat(faults).isNotNull();
                    assertThat(quick.process(MESSAGE, consumer, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                    assertThat(points).contains("inbox.begun", "inbox.committed");
                    points.clear();
                    assertThat(quick.process(MESSAGE, consumer, effect("m1"))).isEqualTo(new Duplicate<>());
                    assertThat(points).isEmpty();
                    assertThat(duplicates).hasValue(1);
                    assertThat(plain.process(MESSAGE, consumer, effect("m1"))).isEqualTo(new Duplicate<>());
                    assertThat(points).containsExactly("inbox.begun");
                    assertThat(duplicates).hasValue(2);
                }
            }
            assertThat(desk.effects()).isEqualTo(Dedupe.values().length);
        }
    }

    private static InboxListener counting(AtomicInteger duplicates) {
        return new InboxListener() {
            @Override
            public void duplicate(String consumer) {
                duplicates.incrementAndGet();
            }
        };
    }
}
