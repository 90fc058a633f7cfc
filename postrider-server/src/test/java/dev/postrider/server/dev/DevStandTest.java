package dev.postrider.server.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageStatus;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.Page;
import dev.postrider.all.Postrider;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaFilter;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.SagaSummary;
import dev.postrider.server.dev.shop.DemoShop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DevStandTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PER_SECOND = 100;

    private DevStand stand;
    private DemoShop shop;
    private Postrider postrider;

    @BeforeEach
    void start() {
        stand = new DevStand(DevSettings.embedded(PER_SECOND), DevDatabase.embedded(), new BuiltInLink(), List.of());
        stand.start();
        shop = stand.shop().orElseThrow();
        postrider = stand.console();
    }

    @AfterEach
    void stop() {
        stand.stop();
        stand.close();
    }

    @Test
    void brokenBrokerLeavesBacklogThatDrainsInOrderAfterItsRestore() {
        shop.poisonous(false);
        awaitHandled(50);

        stand.link().breakDown(true);
        await().atMost(PATIENCE).until(() -> backlog() > 200);
        assertThat(postrider.admin().closedTopics()).isNotEmpty();
        stand.link().breakDown(false);
        shop.perSecond(0);

        await().atMost(PATIENCE).until(() -> backlog() == 0 && stand.link().lag() == 0);
        assertThat(shop.figures().outOfOrder()).isZero();
        assertThat(shop.figures().handled())
                .isGreaterThanOrEqualTo(shop.figures().enqueued());
    }

    @Test
    void poisonMessageDiesAndHoldsWhatFollowsInItsKey() {
        shop.poisonous(false);
        shop.perSecond(0);

        assertThat(shop.poison()).isTrue();

        await().atMost(PATIENCE).until(() -> postrider.admin().stats().dead() == 1);
        assertThat(postrider.admin().blockedKeys(10))
                .singleElement()
                .satisfies(key -> assertThat(key.topic().topic()).isEqualTo("invoices"));
    }

    @Test
    void sagasCompleteAreUndoneAndGetStuckUntilAnOperatorRetries() {
        await().atMost(PATIENCE).until(() -> hasEnded(SagaStatus.COMPLETED) && hasEnded(SagaStatus.COMPENSATED));
        await().atMost(PATIENCE).until(() -> hasEnded(SagaStatus.STUCK));
        SagaAdmin sagas = postrider.sagaAdmin();
        SagaSummary stuck = sagas(SagaStatus.STUCK).get(0);

        sagas.retry(stuck.id(), new Decision("operator", "the carrier was called"));

        await().atMost(PATIENCE)
                .until(() -> sagas.show(stuck.id()).orElseThrow().saga().status() == SagaStatus.COMPLETED);
    }

    @Test
    void killedRelayLosesItsShardsToTheOtherAndNoMessageIsLost() {
        shop.poisonous(false);
        awaitHandled(50);
        String victim = stand.running().get(0).name();

        assertThat(stand.relays().kill(victim)).isTrue();
        assertThat(stand.relays().kill(victim)).isFalse();

        await().atMost(PATIENCE)
                .until(() -> postrider.admin().stats().relays() == 1
                        && postrider.admin().stats().unownedShards() == 0);
        String next = stand.relays().start().orElseThrow();
        await().atMost(PATIENCE).until(() -> postrider.admin().stats().relays() == 2);
        assertThat(next).startsWith("relay-3-");
        shop.perSecond(0);
        await().atMost(PATIENCE).until(() -> backlog() == 0 && stand.link().lag() == 0);
        assertThat(shop.figures().handled())
                .isGreaterThanOrEqualTo(shop.figures().enqueued());
        assertThat(shop.figures().outOfOrder()).isZero();
    }

    @Test
    void stopDeliversWhatIsDueAndReportsIt() {
        awaitHandled(100);

        DevReport report = stand.stop();

        assertThat(report.delivered()).isGreaterThanOrEqualTo(100);
        assertThat(report.lines().get(0)).startsWith("Delivered ");
        assertThat(postrider.deadMessages().search(delivered(), Page.newest(10)).items())
                .isNotEmpty();
    }

    private static MessageFilter delivered() {
        return MessageFilter.all().withStatus(MessageStatus.DELIVERED);
    }

    private void awaitHandled(int messages) {
        await().atMost(PATIENCE).until(() -> shop.figures().handled() >= messages);
    }

    private long backlog() {
        OutboxStats stats = postrider.admin().stats();
        return stats.pending() + stats.waiting();
    }

    private boolean hasEnded(SagaStatus status) {
        return !sagas(status).isEmpty();
    }

    private List<SagaSummary> sagas(SagaStatus status) {
        return postrider
                .sagaAdmin()
                .list(SagaFilter.all().withStatus(status), Page.newest(10))
                .items();
    }
}
