package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.ShardOwner;
import dev.postrider.admin.TopicFigures;
import dev.postrider.admin.TopicStats;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What operators see of relays, and how a relay hears what they want. */
interface RelayAdminContract extends StoreSteps {

    @Test
    default void aRelayIsShownAsItToldWithItsLastHeartbeat() {
        RelayReport report = new RelayReport(
                "a",
                "host-1",
                "1.2.3",
                RelayReport.State.STANDBY,
                7,
                1L << 40,
                3,
                "send: \u0007broken" + "x".repeat(900));
        store().renew("a", LONG);
        store().acquire("a", Set.of(3, 7));
        store().renew(report, LONG);

        assertThat(relays().relays(10)).singleElement().satisfies(relay -> {
            assertThat(relay.id()).isEqualTo("a");
            assertThat(relay.alive()).isTrue();
            assertThat(relay.joined()).isBefore(relay.until());
            assertThat(relay.shards()).containsExactly(3, 7);
            assertThat(relay.report()).isEqualTo(report);
            assertThat(relay.mode()).isEqualTo(RelayMode.RUN);
            assertThat(relay.decided()).isNull();
        });
        assertThat(report.lastError()).startsWith("send:  brokenxxx").hasSize(500);
    }

    @Test
    default void relaysAreListedAsTheyJoinedUpToTheLimit() {
        store().renew("z", LONG);
        store().renew("m", LONG);
        store().renew("a", LONG);

        assertThat(relays().relays(2)).extracting(KnownRelay::id).containsExactly("z", "m");
        store().leave("m");
        assertThat(relays().relays(10)).extracting(KnownRelay::id).containsExactly("z", "a");
    }

    @Test
    default void aShardOfADeadRelayHasNoOwner() {
        store().renew("a", LONG);
        store().acquire("a", Set.of(3, 7));
        List<ShardOwner> owned = relays().shards();
        store().renew("a", SHORT);

        assertThat(owned).hasSize(Shards.COUNT).contains(new ShardOwner(3, "a", 1), new ShardOwner(4, null, 0));
        assertThat(await(() -> relays().shards().contains(new ShardOwner(3, null, 1)) ? List.of(1) : List.of()))
                .hasSize(1);
        assertThat(relays().relays(10)).singleElement().satisfies(relay -> {
            assertThat(relay.alive()).isFalse();
            assertThat(relay.shards()).isEmpty();
        });
    }

    @Test
    default void aRelayHearsWhatIsWantedOfItWithItsHeartbeat() {
        store().renew("a", LONG);
        store().renew("b", LONG);

        boolean changed = relays().setMode("a", RelayMode.PAUSE, DECISION);
        boolean again = relays().setMode("a", RelayMode.PAUSE, DECISION);

        assertThat(changed).isTrue();
        assertThat(again).as("it was wanted already").isFalse();
        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.PAUSE);
        assertThat(store().renew("b", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
        KnownRelay shown = relays().relays(10).get(0);
        assertThat(shown.mode()).isEqualTo(RelayMode.PAUSE);
        assertThat(Objects.requireNonNull(shown.decided()).decision()).isEqualTo(DECISION);
        assertThat(relays().setMode("a", RelayMode.RUN, DECISION)).isTrue();
        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
    }

    @Test
    default void nothingCanBeWantedOfARelayThatIsNotThere() {
        assertThat(relays().setMode("nobody", RelayMode.PAUSE, DECISION)).isFalse();

        assertThat(store().renew("nobody", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
    }

    @Test
    default void aDrainedRelayHasNoShareOfTheShards() {
        store().renew("a", LONG);
        store().renew("b", LONG);

        relays().setMode("a", RelayMode.DRAIN, DECISION);

        assertThat(store().renew("b", LONG).relays()).containsExactly("b");
        assertThat(store().renew("a", LONG).relays()).containsExactly("b");
        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.DRAIN);
        relays().setMode("a", RelayMode.RUN, DECISION);
        assertThat(store().renew("b", LONG).relays()).containsExactly("a", "b");
    }

    @Test
    default void whatIsWantedOfAllHoldsAlsoForRelaysThatJoinLater() {
        store().renew("a", LONG);
        store().renew("b", LONG);
        relays().setMode("a", RelayMode.DRAIN, DECISION);

        assertThat(relays().setModeOfAll(RelayMode.PAUSE, DECISION)).isEqualTo(2);

        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.PAUSE);
        assertThat(store().renew("c", LONG).wanted().mode()).isEqualTo(RelayMode.PAUSE);
        assertThat(relays().setModeOfAll(RelayMode.PAUSE, DECISION)).isZero();
    }

    @Test
    default void theLatestWordAboutARelayHolds() {
        store().renew("a", LONG);
        store().renew("b", LONG);
        relays().setModeOfAll(RelayMode.PAUSE, DECISION);

        assertThat(relays().setMode("a", RelayMode.RUN, DECISION)).isTrue();

        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
        assertThat(store().renew("b", LONG).wanted().mode()).isEqualTo(RelayMode.PAUSE);
        assertThat(relays().setModeOfAll(RelayMode.RUN, DECISION)).isEqualTo(1);
        assertThat(store().renew("b", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
    }

    @Test
    default void whatIsWantedOfARelayEndsWhenItLeaves() {
        store().renew("a", LONG);
        relays().setMode("a", RelayMode.PAUSE, DECISION);

        store().leave("a");

        assertThat(store().renew("a", LONG).wanted().mode()).isEqualTo(RelayMode.RUN);
    }

    @Test
    default void aPausedTopicIsToldToEveryRelayUntilItIsResumed() {
        TopicName orders = new TopicName("shop", "orders");
        TopicName bills = new TopicName("shop", "bills");

        assertThat(relays().pauseTopic(orders, DECISION)).isTrue();
        assertThat(relays().pauseTopic(orders, DECISION)).isFalse();
        relays().pauseTopic(bills, DECISION);

        assertThat(store().renew("a", LONG).wanted().pausedTopics()).containsExactlyInAnyOrder(orders, bills);
        assertThat(store().renew("b", LONG).wanted().pausedTopics()).containsExactlyInAnyOrder(orders, bills);
        assertThat(relays().pausedTopics())
                .extracting(PausedTopic::topic, each -> each.decided().decision())
                .containsExactly(tuple(bills, DECISION), tuple(orders, DECISION));
        assertThat(relays().resumeTopic(orders, DECISION)).isTrue();
        assertThat(relays().resumeTopic(orders, DECISION)).isFalse();
        assertThat(store().renew("a", LONG).wanted().pausedTopics()).containsExactly(bills);
    }

    @Test
    default void moreTopicsThanEveryHeartbeatReadsAreRefused() {
        for (int i = 0; i < RelayAdmin.MOST_PAUSED_TOPICS; i++) {
            relays().pauseTopic(new TopicName("shop", "topic-" + i), DECISION);
        }
        TopicName oneMore = new TopicName("shop", "one-more");

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> relays().pauseTopic(oneMore, DECISION))
                .withMessageContaining("100 topics are paused");

        relays().resumeTopic(new TopicName("shop", "topic-7"), DECISION);
        assertThat(relays().pauseTopic(oneMore, DECISION)).isTrue();
        assertThat(store().renew("a", LONG).wanted().pausedTopics()).hasSize(RelayAdmin.MOST_PAUSED_TOPICS);
    }

    @Test
    default void messagesAreCountedByTopic() {
        OutboxMessage delivered = OutboxMessage.to("mails", "Sent").build();
        OutboxMessage elsewhere =
                OutboxMessage.to("orders", "OrderPlaced").namespace("billing").build();
        OutboxMessage later = OutboxMessage.to("orders", "OrderPlaced")
                .deliverAfter(Duration.ofDays(1))
                .build();
        enqueue(keyed("1"), keyed("2"), delivered, elsewhere, later);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.dead(fetched.get(0), "never", false), Settlement.delivered(fetched.get(2)));

        TopicStats stats = admin().topicStats();

        assertThat(stats.topics())
                .containsExactly(
                        new TopicFigures(new TopicName("billing", "orders"), 1, 0, 0),
                        new TopicFigures(new TopicName("default", "mails"), 0, 0, 0),
                        new TopicFigures(new TopicName("default", "orders"), 1, 1, 1));
        assertThat(stats.pendingAtLeast() || stats.waitingAtLeast() || stats.deadAtLeast())
                .isFalse();
    }
}
