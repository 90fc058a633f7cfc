package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long marks are kept, and messages that are older. */
@Tag("R0.7")
@Tag("B5")
final class HorizonTest {

    private static final Duration RETENTION = Duration.ofDays(14);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I11")
    void aMessageOlderThanTheRetentionIsNeverHandledSilently(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            AtomicInteger skips = new AtomicInteger();
            InboxListener listener = new InboxListener() {
                @Override
                public void skipped(String consumer) {
                    skips.incrementAndGet();
                }
            };
            JdbcInbox.Builder builder = desk.inbox().retention(RETENTION).listener(listener);
            String old = idOf(RETENTION.plusHours(1));
            String young = idOf(RETENTION.minusHours(1));
            Inbox parking = builder.horizon(Horizon.PARK).build();

            assertThat(parking.process(message(old), CONSUMER, effect(old)))
                    .isEqualTo(new Parked<>(ParkReason.BEYOND_HORIZON));
            assertThatThrownBy(() -> parking.process(idOf(RETENTION.plusHours(1)), CONSUMER, effect("x")))
                    .isInstanceOfSatisfying(
                            InboxException.class,
                            e -> assertThat(e.reason()).isEqualTo(InboxException.Reason.BEYOND_HORIZON));
            String keyed = idOf(RETENTION.plusHours(1));
            assertThat(parking.process(
                            ReceivedMessage.from("orders").id(keyed).key("a").build(), CONSUMER, effect(keyed)))
                    .as("no other message holds its key")
                    .isEqualTo(new Parked<>(ParkReason.BEYOND_HORIZON));
            assertThat(parking.process(message(young), CONSUMER, effect(young)))
                    .isEqualTo(new Processed<>("done " + young));
            String random = UUID.randomUUID().toString();
            assertThat(parking.process(message(random), CONSUMER, effect(random)))
                    .as("tells no time")
                    .isEqualTo(new Processed<>("done " + random));
            assertThat(builder.horizon(Horizon.SKIP)
                            .build()
                            .process(idOf(RETENTION.plusDays(1)), CONSUMER, effect("x")))
                    .isEqualTo(new Duplicate<>());
            assertThat(skips).hasValue(1);
            assertThat(desk.effects()).isEqualTo(2);

            String ancient = idOf(Duration.ofDays(5_000));
            assertThat(builder.horizon(Horizon.PROCESS).build().process(ancient, CONSUMER, effect(ancient)))
                    .isEqualTo(new Processed<>("done " + ancient));
            assertThat(parking.process(ancient, CONSUMER, effect(ancient)))
                    .as("its mark is still there")
                    .isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I11")
    void anOldMessageInABatchIsParkedAndCanBeReleased(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().retention(RETENTION).build();
            String old = idOf(RETENTION.plusHours(1));
            InboxBatchHandler handler = (messages, transaction) -> {
                for (ReceivedMessage each : messages) {
                    Desk.insertEffect(transaction.connection(), each.id().orElseThrow(), CONSUMER);
                }
            };

            InboxBatchResult result =
                    inbox.processBatch(CONSUMER, List.of(message("m1"), message(old), message("m2")), handler);

            assertThat(result.entries())
                    .extracting(InboxBatchResult.Entry::outcome)
                    .containsExactly(
                            InboxBatchResult.Outcome.PROCESSED,
                            InboxBatchResult.Outcome.PARKED,
                            InboxBatchResult.Outcome.PROCESSED);
            desk.admin().release(CONSUMER, List.of(old), new Decision("ada", "never handled, I looked"));
            assertThat(inbox.processReleased(
                            CONSUMER, 10, (message, transaction) -> handler.handle(List.of(message), transaction)))
                    .isEqualTo(1);
            assertThat(desk.effects()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I12")
    void aPurgeRemovesWhatIsOldAndNeverWhatIsYoungerThanTheRetention(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            JdbcInbox inbox = desk.inbox().retention(RETENTION).parkAfter(2).build();
            Random random = new Random(12);
            int old = 0;
            for (int i = 0; i < 120; i++) {
                String id = "m" + i;
                int hours = random.nextInt(24 * 28);
                inbox.process(id, CONSUMER, effect(id));
                desk.execute("update inbox_message set processed_at = " + ago(kind, hours, "processed_at")
                        + " where message_id = '" + id + "'");
                old += hours > 24 * 14 + 1 ? 1 : 0;
            }
            failing(inbox, "failing");
            failing(inbox, "parked");
            failing(inbox, "parked");
            desk.execute("update inbox_failure set updated_at = " + ago(kind, 24 * 20, "updated_at"));
            long young = desk.count("inbox_message where processed_at > " + ago(kind, 24 * 14, now(kind)));

            int removed = 0;
            int rounds = 0;
            for (int step = inbox.purge(7); step > 0; step = inbox.purge(7)) {
                removed += step;
                rounds++;
            }

            assertThat(old).isBetween(20, 100);
            assertThat(rounds).as("in small transactions").isGreaterThan(2);
            assertThat(removed).isEqualTo(old + 1);
            assertThat(desk.count("inbox_message where processed_at > " + ago(kind, 24 * 14, now(kind))))
                    .isEqualTo(young);
            assertThat(desk.marks()).isEqualTo(120 - old);
            assertThat(desk.count("inbox_failure where state = 'PARKED'")).isEqualTo(1);
            assertThat(desk.count("inbox_failure")).isEqualTo(1);
        }
    }

    private static void failing(Inbox inbox, String id) {
        try {
            inbox.process(message(id), CONSUMER, transaction -> {
                throw new IllegalStateException("bad");
            });
        } catch (InboxException e) {
            assertThat(e.reason()).isEqualTo(InboxException.Reason.HANDLER_FAILED);
        }
    }

    private static String now(Kind kind) {
        return kind == Kind.MARIADB || kind == Kind.MYSQL ? "utc_timestamp(6)" : "current_timestamp";
    }

    private static String ago(Kind kind, int hours, String from) {
        return switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> "%s - interval '%d hours'".formatted(from, hours);
            case MARIADB, MYSQL -> "%s - interval %d hour".formatted(from, hours);
            case H2 -> "dateadd('HOUR', -%d, %s)".formatted(hours, from);
        };
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).build();
    }

    /** Returns a UUIDv7 of that age. */
    private static String idOf(Duration age) {
        UUID random = UUID.randomUUID();
        long high =
                (Instant.now().minus(age).toEpochMilli() << 16) | 0x7000 | (random.getMostSignificantBits() & 0xFFF);
        return new UUID(high, random.getLeastSignificantBits()).toString();
    }
}
