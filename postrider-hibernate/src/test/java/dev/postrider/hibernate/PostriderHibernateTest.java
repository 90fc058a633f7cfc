package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.hibernate.Shop.Order;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.services.Database.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.cfg.CacheSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PostriderHibernateTest {

    private final ShopDatabase shop = ShopDatabase.of(Kind.H2);

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void factoryWithoutTheSettingLeavesEventsAlone() {
        Order order = new Order(1).with("placed");

        shop.factory(Map.of()).inTransaction(session -> session.persist(order));

        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("placed");
    }

    @Test
    void registeredFactoryEnqueuesEvents() {
        SessionFactory factory = shop.factory(Map.of());
        ShopDatabase.integration().register(factory);

        factory.inTransaction(session -> session.persist(new Order(1).with("placed")));

        assertThat(shop.stored()).containsExactly("placed");
    }

    @Test
    void factoriesHaveIntegrationsOfTheirOwn() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        SessionFactory one = shop.factory(ShopDatabase.integration().afterCommit(() -> first.add("committed")));
        SessionFactory other = shop.factory(ShopDatabase.integration().afterCommit(() -> second.add("committed")));

        one.inTransaction(session -> session.persist(new Order(1).with("a")));
        other.inTransaction(session -> session.find(Order.class, 1L).with("b"));

        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        assertThat(shop.stored()).containsExactly("a", "b");
    }

    @Test
    void secondIntegrationOfAFactoryIsRefused() {
        SessionFactory factory = shop.factory(ShopDatabase.integration());

        assertThatThrownBy(() -> ShopDatabase.integration().register(factory))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(PostriderHibernate.SETTING);
    }

    @Test
    void settingOfAnotherTypeIsRefused() {
        assertThatThrownBy(() -> shop.factory(Map.of(PostriderHibernate.SETTING, "true")))
                .hasStackTraceContaining("must be a PostriderHibernate but was a java.lang.String");
    }

    @Test
    void actionAfterTheCommitRunsOnceForEachCommitThatEnqueued() {
        List<Integer> seen = new ArrayList<>();
        SessionFactory factory = shop.factory(ShopDatabase.integration()
                .afterCommit(() -> seen.add(shop.stored().size())));

        factory.inTransaction(session -> session.persist(new Order(1).with("a").with("b")));
        factory.inTransaction(session -> session.persist(new Order(2)));
        factory.inTransaction(session -> {
            session.persist(new Order(3).with("c"));
            session.flush();
            session.getTransaction().setRollbackOnly();
        });

        assertThat(seen).containsExactly(2);
    }

    @Test
    void actionAfterTheCommitThatFailsDoesNotFailTheTransaction() {
        SessionFactory factory = shop.factory(ShopDatabase.integration().afterCommit(() -> {
            throw new IllegalStateException("no relay");
        }));

        factory.inTransaction(session -> session.persist(new Order(1).with("placed")));

        assertThat(shop.stored()).containsExactly("placed");
    }

    @Test
    void batchesOfInsertsAndUpdatesEnqueueEachEventOnce() {
        int orders = 50;
        SessionFactory factory = shop.factory(Map.of(
                PostriderHibernate.SETTING,
                ShopDatabase.integration(),
                BatchSettings.STATEMENT_BATCH_SIZE,
                20,
                BatchSettings.ORDER_INSERTS,
                true,
                BatchSettings.ORDER_UPDATES,
                true));

        factory.inTransaction(session -> {
            for (int i = 0; i < orders; i++) {
                session.persist(new Order(i).with("placed-" + i));
            }
        });
        factory.inTransaction(session ->
                session.createSelectionQuery("from Order", Order.class).list().forEach(order -> order.move("paid")));

        assertThat(shop.stored().subList(0, orders))
                .doesNotHaveDuplicates()
                .allMatch(type -> type.startsWith("placed-"));
        assertThat(shop.stored().subList(orders, 2 * orders)).containsOnly("paid");
        assertThat(shop.stored()).hasSize(2 * orders);
    }

    @Test
    void outboxThatIsMadeLaterIsAskedForAtTheFirstEvent() {
        List<JdbcOutbox> made = new ArrayList<>();
        SessionFactory factory = shop.factory(PostriderHibernate.of(
                () -> {
                    made.add(JdbcOutbox.create());
                    return made.get(0);
                },
                ShopDatabase::message));
        factory.inTransaction(session -> session.persist(new Order(1)));
        assertThat(made).isEmpty();

        factory.inTransaction(session -> session.persist(new Order(2).with("placed")));

        assertThat(made).hasSize(1);
        assertThat(shop.stored()).containsExactly("placed");
    }

    @Test
    void entityFromTheSecondLevelCacheHasTheEventsOfItsOwnSessionOnly() {
        SessionFactory factory = shop.factory(Map.of(
                PostriderHibernate.SETTING,
                ShopDatabase.integration(),
                CacheSettings.USE_SECOND_LEVEL_CACHE,
                true,
                CacheSettings.CACHE_REGION_FACTORY,
                MapRegions.class.getName()));
        factory.inTransaction(session -> session.persist(new Order(1).with("placed")));
        factory.inTransaction(session -> session.find(Order.class, 1L));
        assertThat(factory.getCache().containsEntity(Order.class, 1L)).isTrue();

        factory.inTransaction(session -> {
            session.find(Order.class, 1L).move("paid");
            session.getTransaction().setRollbackOnly();
        });
        factory.inTransaction(session -> session.find(Order.class, 1L).move("sent"));

        assertThat(shop.stored()).containsExactly("placed", "sent");
    }
}
