package dev.postrider.jdbc.operator;

import static dev.postrider.jdbc.operator.Desk.DECISION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.OutboxException;
import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.jdbc.HandRelay;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Membership;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract leaves to the tables. */
final class JdbcRelayAdminTest {

    private static final TopicName ORDERS = new TopicName("shop", "orders");

    // As a relay of version 5 of the tables joins.
    private static final String OLDER = "insert into outbox_relay (until, id) values ('2999-01-01 00:00:00', 'older')";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R1.15")
    void everyChangeLeavesOneEntryInTheAuditTrail(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            RelayAdmin relays = JdbcRelayAdmin.of(desk.fixture().pool());

            relays.setMode("desk", RelayMode.PAUSE, DECISION);
            relays.setMode("desk", RelayMode.PAUSE, DECISION);
            relays.setMode("nobody", RelayMode.PAUSE, DECISION);
            relays.setModeOfAll(RelayMode.DRAIN, DECISION);
            relays.setModeOfAll(RelayMode.RUN, DECISION);
            relays.setModeOfAll(RelayMode.RUN, DECISION);
            relays.pauseTopic(ORDERS, DECISION);
            relays.pauseTopic(ORDERS, DECISION);
            relays.resumeTopic(ORDERS, DECISION);
            relays.resumeTopic(ORDERS, DECISION);

            assertThat(desk.audit())
                    .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::detail)
                    .containsExactly(
                            tuple("PAUSE_RELAY", "ada", "relay desk"),
                            tuple("DRAIN_RELAY", "ada", "all relays"),
                            tuple("RESUME_RELAY", "ada", "all relays"),
                            tuple("PAUSE_TOPIC", "ada", "topic shop/orders"),
                            tuple("RESUME_TOPIC", "ada", "topic shop/orders"));
            assertThat(desk.fixture().number("select count(*) from outbox_control"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void relaysOfAnOlderVersionLiveBesideNewerOnesAndAreShownWithoutAReport(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            desk.fixture().execute(OLDER);
            JdbcOutboxStore store =
                    JdbcOutboxStore.builder(desk.fixture().pool()).build();

            Membership membership = store.renew("desk", HandRelay.LONG);

            assertThat(membership.relays()).containsExactly("desk", "older");
            assertThat(JdbcRelayAdmin.of(desk.fixture().pool()).relays(10)).anySatisfy(relay -> {
                assertThat(relay.id()).isEqualTo("older");
                assertThat(relay.alive()).isTrue();
                assertThat(relay.report()).isNull();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void nothingIsWantedThatARelayOfAnOlderVersionWouldNotDo(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            desk.fixture().execute(OLDER);
            RelayAdmin relays = JdbcRelayAdmin.of(desk.fixture().pool());

            refused(() -> relays.setMode("older", RelayMode.PAUSE, DECISION));
            refused(() -> relays.setMode("desk", RelayMode.DRAIN, DECISION));
            refused(() -> relays.setModeOfAll(RelayMode.PAUSE, DECISION));
            refused(() -> relays.pauseTopic(ORDERS, DECISION));

            assertThat(relays.setMode("desk", RelayMode.PAUSE, DECISION))
                    .as("it needs nobody else")
                    .isTrue();
            assertThat(relays.setModeOfAll(RelayMode.RUN, DECISION)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void whatWasWantedOfARelayThatDiedIsForgottenWhenAnotherJoins(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            RelayAdmin relays = JdbcRelayAdmin.of(desk.fixture().pool());
            relays.setMode("desk", RelayMode.PAUSE, DECISION);
            relays.pauseTopic(ORDERS, DECISION);
            desk.fixture()
                    .execute(
                            "delete from outbox_relay", "update outbox_control set changed_at = '2020-01-01 00:00:00'");

            HandRelay.join(desk.fixture(), "next");

            assertThat(desk.fixture().number("select count(*) from outbox_control"))
                    .isEqualTo(1);
            assertThat(relays.pausedTopics()).extracting(PausedTopic::topic).containsExactly(ORDERS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aRelayThatFrozeIsStillPausedWhenItComesBack(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            JdbcRelayAdmin.of(desk.fixture().pool()).setMode("desk", RelayMode.PAUSE, DECISION);
            desk.fixture().execute("delete from outbox_relay");
            HandRelay.join(desk.fixture(), "next");

            Membership back =
                    JdbcOutboxStore.builder(desk.fixture().pool()).build().renew("desk", HandRelay.LONG);

            assertThat(back.wanted().mode()).isEqualTo(RelayMode.PAUSE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void aNameThatNoTopicHasIsRefused(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            RelayAdmin relays = JdbcRelayAdmin.of(desk.fixture().pool());

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> relays.pauseTopic(new TopicName("shop", "x".repeat(201)), DECISION))
                    .withMessageContaining("201");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> relays.pauseTopic(new TopicName(" ", "orders"), DECISION))
                    .withMessageContaining("namespace");
        }
    }

    private static void refused(Runnable change) {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(change::run)
                .withMessageContaining("Relay older is of an older version");
    }
}
