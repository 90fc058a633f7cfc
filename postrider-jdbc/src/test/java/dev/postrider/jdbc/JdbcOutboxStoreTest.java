package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract leaves to the store. */
final class JdbcOutboxStoreTest {

    @ParameterizedTest
    @EnumSource
    @Tag("R3.6")
    void deliveredRowsMayBeDeletedAtOnce(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(
                    JdbcOutboxStore.builder(fixture.pool())
                            .deleteDelivered(true)
                            .build(),
                    "me");
            OutboxMessage[] messages = {keyed("a"), keyed("b"), keyed("c")};
            fixture.enqueue(messages);
            List<ClaimedMessage> fetched = relay.fetch();

            int written = relay.settle(List.of(
                    Settlement.delivered(fetched.get(0)),
                    Settlement.dead(fetched.get(1), "never", false),
                    Settlement.released(fetched.get(2))));
            int again = relay.settle(Settlement.delivered(fetched.get(0)));
            relay.end(fetched);

            JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(fixture.pool());
            assertThat(written).isEqualTo(3);
            assertThat(again).as("the row is gone").isZero();
            assertThat(admin.find(messages[0].id())).isEmpty();
            assertThat(admin.list(MessageStatus.DEAD, 0, 10)).hasSize(1);
            assertThat(admin.list(MessageStatus.PENDING, 0, 10)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aDeletedHolderCallsTheNextOfItsKey(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(
                    JdbcOutboxStore.builder(fixture.pool())
                            .deleteDelivered(true)
                            .build(),
                    "me");
            OutboxMessage next = keyed("a");
            fixture.enqueue(keyed("a"), next);
            List<ClaimedMessage> fetched = relay.fetch();
            relay.settle(List.of(
                    Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true),
                    Settlement.behind(fetched.get(1), fetched.get(0).seq())));
            ClaimedMessage head = relay.due().get(0);

            relay.settle(List.of(Settlement.delivered(head)));

            assertThat(relay.due())
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(next.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aHolderThatGivesUpItsKeyCallsTheNext(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage next = keyed("a");
            fixture.enqueue(keyed("a"), next);
            List<ClaimedMessage> fetched = relay.fetch();
            relay.settle(List.of(
                    Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true),
                    Settlement.behind(fetched.get(1), fetched.get(0).seq())));
            ClaimedMessage head = relay.due().get(0);

            relay.settle(List.of(Settlement.dead(head, "never", false)));

            assertThat(relay.due())
                    .singleElement()
                    .extracting(each -> each.message().id())
                    .isEqualTo(next.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B1")
    void aForgottenRelayBeginsAgainWithNothing(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            fixture.execute("delete from outbox_relay");

            assertThat(relay.store().renew("me", HandRelay.LONG).owned()).isEmpty();
            assertThat(relay.store().renew("me", HandRelay.LONG).free()).hasSize(Shards.COUNT);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B6")
    @Tag("R4.2")
    void aRowWhoseHeadersCannotBeReadIsHandedOutWithADefect(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            fixture.enqueue(keyed("a"));
            fixture.execute("update outbox_message set headers = '{\"a\": 1}'");

            assertThat(relay.fetch())
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each.defect()).contains("headers").doesNotContain("\"a\""));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R0.6")
    void anAttemptIsWrittenTogetherWithItsOutcomeAndADeliveryNeedsNone(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            OutboxMessage failed = keyed("a");
            OutboxMessage delivered = keyed("b");
            fixture.enqueue(failed, delivered);
            List<ClaimedMessage> fetched = relay.fetch();
            fixture.execute("drop table outbox_attempt");

            int written = relay.settle(List.of(Settlement.delivered(fetched.get(1))));

            assertThat(written).as("nothing was asked of the history").isEqualTo(1);
            List<Settlement> retry = List.of(Settlement.retry(fetched.get(0), HandRelay.LONG, "broken", true));
            assertThatExceptionOfType(OutboxException.class).isThrownBy(() -> relay.settle(retry));
            assertThat(JdbcOutboxAdmin.of(fixture.pool())
                            .find(failed.id())
                            .orElseThrow()
                            .status())
                    .as("all or nothing")
                    .isEqualTo(MessageStatus.CLAIMED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S22")
    void anErrorIsStoredCutAndClean(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            HandRelay relay = HandRelay.join(fixture, "me");
            fixture.enqueue(keyed("a"));
            ClaimedMessage claimed = relay.fetch().get(0);

            relay.settle(List.of(Settlement.dead(claimed, "\u0000\n\"🐎\\" + "x".repeat(3_000), false)));

            assertThat(JdbcOutboxAdmin.of(fixture.pool())
                            .find(claimed.message().id())
                            .orElseThrow()
                            .lastError())
                    .startsWith("  \"🐎\\xxx")
                    .hasSize(2_000);
        }
    }

    private static OutboxMessage keyed(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }
}
