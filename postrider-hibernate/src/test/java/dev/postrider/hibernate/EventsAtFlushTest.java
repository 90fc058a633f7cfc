package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.hibernate.Shop.Customer;
import dev.postrider.hibernate.Shop.Line;
import dev.postrider.hibernate.Shop.Order;
import dev.postrider.hibernate.Shop.Parcel;
import dev.postrider.services.Database.Kind;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.List;
import java.util.Map;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.BatchSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
final class EventsAtFlushTest {

    private final ShopDatabase shop;
    private final SessionFactory factory;

    EventsAtFlushTest(Kind kind) {
        this.shop = ShopDatabase.of(kind);
        this.factory = shop.factory(Map.of(
                PostriderHibernate.SETTING,
                ShopDatabase.integration(),
                BatchSettings.STATEMENT_BATCH_SIZE,
                10,
                BatchSettings.ORDER_INSERTS,
                true));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    @Tag("R2.1")
    void eventsOfANewEntityAreEnqueuedWithItsTypeAndIdentifier() {
        factory.inTransaction(session -> session.persist(new Order(1).with("placed")));

        assertThat(shop.stored()).containsExactly("placed");
        assertThat(shop.column("message_key")).containsExactly("Order 1");
        assertThat(shop.pending()).isOne();
    }

    @Test
    void identifierThatTheDatabaseGeneratesIsKnownToTheMapper() {
        Customer customer = new Customer().with("joined");

        factory.inTransaction(session -> session.persist(customer));

        assertThat(shop.column("message_key")).containsExactly("Customer " + customer.id);
    }

    @Test
    @Tag("R2.1")
    void enqueuedEventsAreGoneFromTheirEntity() {
        Order order = new Order(1).with("placed");

        factory.inTransaction(session -> session.persist(order));

        assertThat(order.recordedEvents()).isEmpty();
    }

    @Test
    void eventsOfCascadedEntitiesAreEnqueued() {
        factory.inTransaction(
                session -> session.persist(new Order(1).with("placed").add(new Line(7).with("line-added"))));

        assertThat(shop.stored()).containsExactlyInAnyOrder("placed", "line-added");
    }

    @Test
    void eventsOfEntitiesThatAreCascadedToAtTheFlushAreEnqueued() {
        factory.inTransaction(session -> session.persist(new Order(1)));

        factory.inTransaction(session -> session.find(Order.class, 1L).add(new Line(8).with("line-added")));

        assertThat(shop.stored()).containsExactly("line-added");
    }

    @Test
    @Tag("R2.1")
    void eventsOfSeveralFlushesAreEnqueuedOnceAndInOrder() {
        factory.inTransaction(session -> {
            Order order = new Order(1).with("a").with("b");
            session.persist(order);
            session.flush();
            order.with("c");
            session.createQuery("from Order", Order.class).list();
            order.with("d");
            session.flush();
            session.flush();
            order.with("e");
        });

        assertThat(shop.stored()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void unchangedEntityMayRecordEvents() {
        factory.inTransaction(session -> session.persist(new Order(1)));

        factory.inTransaction(session -> session.find(Order.class, 1L).with("looked-at"));

        assertThat(shop.stored()).containsExactly("looked-at");
    }

    @Test
    void eventsThatWereRecordedThroughAProxyAreEnqueued() {
        factory.inTransaction(session -> session.persist(new Order(1)));

        factory.inTransaction(session -> session.getReference(Order.class, 1L).move("paid"));

        assertThat(shop.stored()).containsExactly("paid");
    }

    @Test
    void eventsOfARemovedEntityAreEnqueued() {
        factory.inTransaction(session -> session.persist(new Order(1)));

        factory.inTransaction(
                session -> session.remove(session.find(Order.class, 1L).with("cancelled")));

        assertThat(shop.stored()).containsExactly("cancelled");
    }

    @Test
    void eventsOfAnOrphanAreEnqueued() {
        factory.inTransaction(session -> session.persist(new Order(1).add(new Line(7))));

        factory.inTransaction(session -> {
            Order order = session.find(Order.class, 1L);
            order.lines.get(0).with("line-dropped");
            order.lines.clear();
        });

        assertThat(shop.stored()).containsExactly("line-dropped");
    }

    @Test
    void eventsThatCallbacksRecordDuringTheFlushAreEnqueued() {
        factory.inTransaction(session -> session.persist(new Parcel(1)));
        factory.inTransaction(session -> session.find(Parcel.class, 1L).place = "Bonn");
        factory.inTransaction(session -> session.remove(session.find(Parcel.class, 1L)));

        assertThat(shop.stored()).containsExactly("posted", "moving", "gone");
    }

    @Test
    void sessionThatIsFlushedAndClearedInALoopLosesNoEvent() {
        factory.inTransaction(session -> {
            for (long i = 1; i <= 2_500; i++) {
                session.persist(new Order(i).with("m" + i));
                if (i % 50 == 0) {
                    session.flush();
                    session.clear();
                }
            }
        });

        assertThat(shop.stored())
                .hasSize(2_500)
                .doesNotHaveDuplicates()
                .startsWith("m1", "m2")
                .endsWith("m2500");
    }

    @Test
    void sessionThatIsClearedAfterAQueryHasFlushedItLosesNoEvent() {
        factory.inTransaction(session -> {
            session.persist(new Order(1).with("placed"));
            session.createQuery("from Order", Order.class).list();
            session.clear();
        });

        assertThat(shop.stored()).containsExactly("placed");
    }

    @Test
    void clearWithoutAFlushForgetsTheChangeAndKeepsItsEventInTheEntity() {
        Order order = new Order(1).with("placed");

        factory.inTransaction(session -> {
            session.persist(order);
            session.clear();
        });

        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("placed");
    }

    @Test
    void flushModeManualEnqueuesTheEventsOfWhatWasFlushed() {
        Order late = new Order(2).with("b");

        factory.inTransaction(session -> {
            session.setHibernateFlushMode(FlushMode.MANUAL);
            session.persist(new Order(1).with("a"));
            session.flush();
            session.persist(late);
        });

        assertThat(shop.stored()).containsExactly("a");
        assertThat(late.recordedEvents()).containsExactly("b");
    }

    @Test
    void eventsOfAFlushDuringTheCommitAreEnqueued() {
        factory.inTransaction(session -> {
            Order order = new Order(1).with("a");
            session.persist(order);
            session.getTransaction().registerSynchronization(beforeCommit(() -> {
                order.with("b");
                session.persist(new Order(2).with("c"));
                session.flush();
            }));
        });

        assertThat(shop.stored()).containsExactly("a", "b", "c");
    }

    @Test
    void sessionThatSharesTheConnectionOfAnotherEnqueuesWhatItFlushes() {
        factory.inTransaction(session -> {
            session.persist(new Order(1).with("a"));
            try (Session child = session.sessionWithOptions().connection().openSession()) {
                child.persist(new Order(2).with("b"));
                child.flush();
            }
        });

        assertThat(shop.stored()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void sessionThatSharesTheConnectionOfAnotherEnqueuesWhatTheCommitFlushes() {
        factory.inTransaction(session -> {
            Session child =
                    session.sessionWithOptions().connection().autoClose(true).openSession();
            child.persist(new Order(2).with("b"));
        });

        assertThat(shop.stored()).containsExactly("b");
    }

    @Test
    void eachTransactionOfASessionEnqueuesItsOwnEvents() {
        try (Session session = factory.openSession()) {
            Order order = new Order(1);
            for (String event : List.of("a", "b", "c")) {
                session.beginTransaction();
                order.with(event);
                session.persist(order);
                session.getTransaction().commit();
            }
        }

        assertThat(shop.stored()).containsExactly("a", "b", "c");
    }

    @Test
    void entityManagerEnqueuesLikeASession() {
        Order order = new Order(1).with("placed");

        factory.runInTransaction(entities -> {
            entities.persist(order);
            entities.flush();
        });

        assertThat(shop.stored()).containsExactly("placed");
    }

    private static Synchronization beforeCommit(Runnable action) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {
                action.run();
            }

            @Override
            public void afterCompletion(int status) {
                assertThat(status).isEqualTo(Status.STATUS_COMMITTED);
            }
        };
    }
}
