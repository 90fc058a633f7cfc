package dev.postrider.server.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.admin.Page;
import dev.postrider.all.Postrider;
import dev.postrider.saga.SagaFilter;
import dev.postrider.saga.SagaStatus;
import dev.postrider.server.dev.shop.DemoShop;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The demo with databases and brokers of the user's. */
final class DevStandIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PER_SECOND = 50;
    private static final int ENOUGH = 60;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void demoRunsOnTheDatabaseOfTheUser(Kind kind) {
        assume(Database.available(kind));
        try (Database fresh = Database.shared(kind).freshDatabase()) {
            run(DevDatabase.of(fresh.jdbcUrl(), fresh.user(), fresh.password()), new BuiltInLink());
        }
    }

    @Test
    void demoSendsToKafkaAndReceivesFromIt() {
        assume(KafkaServer.available());
        run(
                DevDatabase.embedded(),
                DevLinks.of("kafka://" + KafkaServer.shared().bootstrapServers()));
    }

    @Test
    void demoSendsToRabbitMqAndReceivesFromIt() {
        assume(RabbitServer.available());
        run(DevDatabase.embedded(), DevLinks.of(RabbitServer.shared().uri()));
    }

    private static void run(DevDatabase database, DevLink link) {
        DevStand stand = new DevStand(DevSettings.embedded(PER_SECOND), database, link, List.of());
        try {
            DemoShop shop = stand.start().shop().orElseThrow();
            shop.poisonous(false);
            Postrider postrider = stand.console();
            await().atMost(PATIENCE).until(() -> shop.figures().handled() >= ENOUGH);
            await().atMost(PATIENCE)
                    .until(() -> !postrider
                            .sagaAdmin()
                            .list(SagaFilter.all().withStatus(SagaStatus.COMPLETED), Page.newest(1))
                            .items()
                            .isEmpty());

            link.breakDown(true);
            await().atMost(PATIENCE).until(() -> postrider.admin().stats().pending() > ENOUGH);
            link.breakDown(false);
            shop.perSecond(0);
            await().atMost(PATIENCE)
                    .until(() -> shop.figures().handled() >= shop.figures().enqueued() - 2);

            DevReport report = stand.stop();
            assertThat(report.delivered()).isGreaterThanOrEqualTo(ENOUGH);
            assertThat(shop.figures().outOfOrder()).isZero();
        } finally {
            stand.stop();
            stand.close();
        }
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }
}
