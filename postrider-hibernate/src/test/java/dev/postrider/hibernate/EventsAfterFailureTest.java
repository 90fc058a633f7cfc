package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.hibernate.Shop.Line;
import dev.postrider.hibernate.Shop.Order;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.services.Database.Kind;
import jakarta.persistence.OptimisticLockException;
import java.util.UUID;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
final class EventsAfterFailureTest {

    private static final UUID TWICE = UUID.fromString("0192f0c1-2b3c-7d4e-8f50-111213141516");

    private final ShopDatabase shop;
    private final SessionFactory factory;

    EventsAfterFailureTest(Kind kind) {
        this.shop = ShopDatabase.of(kind);
        this.factory = shop.factory(ShopDatabase.integration());
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    @Tag("R2.1")
    void rolledBackEventsAreEnqueuedOnceByASecondTryWithTheSameInstance() {
        Order order = new Order(1).with("placed").with("paid");
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            session.persist(order);
            session.flush();
            order.with("sent");
            session.flush();
            session.getTransaction().rollback();
        }
        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("placed", "paid", "sent");

        order.with("received");
        order.version = null;
        factory.inTransaction(session -> session.persist(order));

        assertThat(shop.stored()).containsExactly("placed", "paid", "sent", "received");
        assertThat(order.recordedEvents()).isEmpty();
    }

    @Test
    @Tag("R2.1")
    void rolledBackEventsDoNotReturnInASecondTryWithAFreshInstance() {
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            session.persist(new Order(1).with("placed"));
            session.flush();
            session.getTransaction().rollback();

            session.beginTransaction();
            session.persist(new Order(1).with("placed"));
            session.getTransaction().commit();
        }

        assertThat(shop.stored()).containsExactly("placed");
    }

    @Test
    void commitOfATransactionMarkedForRollbackEnqueuesNothing() {
        Order order = new Order(1).with("placed");

        factory.inTransaction(session -> {
            session.persist(order);
            session.flush();
            session.getTransaction().setRollbackOnly();
        });

        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("placed");
    }

    @Test
    void eventsOfAFlushThatFailsStayInTheirEntities() {
        factory.inTransaction(session -> session.persist(new Order(1)));
        Order twin = new Order(1).with("placed");
        Order other = new Order(2).with("also-placed");

        assertThatThrownBy(() -> factory.inTransaction(session -> {
                    session.persist(other);
                    session.flush();
                    session.persist(twin);
                }))
                .isNotNull();

        assertThat(shop.stored()).isEmpty();
        assertThat(twin.recordedEvents()).containsExactly("placed");
        assertThat(other.recordedEvents()).containsExactly("also-placed");
    }

    @Test
    void eventsOfARemovalThatIsRolledBackReturn() {
        factory.inTransaction(session -> session.persist(new Order(1).add(new Line(7))));
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            Order order = session.find(Order.class, 1L).with("cancelled");
            session.remove(order);
            session.flush();
            assertThat(order.recordedEvents()).isEmpty();

            session.getTransaction().rollback();

            assertThat(order.recordedEvents()).containsExactly("cancelled");
        }
        assertThat(shop.stored()).isEmpty();
    }

    @Test
    @Tag("R2.1")
    void loserOfAnOptimisticLockEnqueuesNothingAndItsSecondTryEnqueuesOnce() {
        factory.inTransaction(session -> session.persist(new Order(1)));
        try (Session slow = factory.openSession()) {
            slow.beginTransaction();
            Order stale = slow.find(Order.class, 1L).move("paid");
            factory.inTransaction(session -> session.find(Order.class, 1L).move("changed"));

            assertThatThrownBy(slow.getTransaction()::commit).isInstanceOf(OptimisticLockException.class);

            assertThat(stale.recordedEvents()).containsExactly("paid");
        }

        factory.inTransaction(session -> session.find(Order.class, 1L).move("paid"));

        assertThat(shop.stored()).containsExactly("changed", "paid");
    }

    @Test
    void eventsOfADetachedInstanceAreEnqueuedWhenItIsMerged() {
        Order detached = new Order(1).add(new Line(7));
        factory.inTransaction(session -> session.persist(detached));
        detached.move("paid");
        detached.lines.get(0).with("line-changed");

        factory.inTransaction(session -> session.merge(detached).with("seen"));

        assertThat(shop.stored()).hasSize(3).containsSubsequence("paid", "seen").contains("line-changed");
        assertThat(shop.column("message_key")).containsExactlyInAnyOrder("Order 1", "Order 1", "Line 7");
        assertThat(detached.recordedEvents()).isEmpty();
    }

    @Test
    void eventsOfAMergeThatIsRolledBackReturnToTheDetachedInstance() {
        Order detached = new Order(1);
        factory.inTransaction(session -> session.persist(detached));
        detached.move("paid");
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            session.merge(detached);
            detached.with("sent");
            session.merge(detached);
            session.flush();
            session.getTransaction().rollback();
        }
        assertThat(detached.recordedEvents()).containsExactly("paid", "sent");

        factory.inTransaction(session -> session.merge(detached));

        assertThat(shop.stored()).containsExactly("paid", "sent");
    }

    @Test
    void eventsOfAMergeThatIsClearedReturnToTheDetachedInstance() {
        Order detached = new Order(1);
        factory.inTransaction(session -> session.persist(detached));
        detached.move("paid");

        factory.inTransaction(session -> {
            session.merge(detached);
            session.clear();
        });

        assertThat(shop.stored()).isEmpty();
        assertThat(detached.recordedEvents()).containsExactly("paid");
    }

    @Test
    void sessionThatIsClosedWithoutACommitLeavesTheEventsInTheirEntity() {
        Order order = new Order(1).with("placed");
        Session session = factory.openSession();
        session.beginTransaction();
        session.persist(order);
        session.flush();

        session.close();

        assertThat(order.recordedEvents()).containsExactly("placed");
        assertThat(shop.stored()).isEmpty();
    }

    @Test
    void eventsOfASessionThatSharesTheConnectionOfAnotherReturnWithTheRollback() {
        Order order = new Order(1).with("placed");
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            try (Session child = session.sessionWithOptions().connection().openSession()) {
                child.persist(order);
                child.flush();
            }
            assertThat(order.recordedEvents()).isEmpty();

            session.getTransaction().rollback();
        }

        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("placed");
    }

    @Test
    void mapperThatFailsKeepsItsEntityFromBeingCommitted() {
        SessionFactory failing = shop.factory(PostriderHibernate.of(JdbcOutbox.create(), recorded -> {
            throw new IllegalArgumentException("no message for " + recorded);
        }));
        Order order = new Order(1).with("placed");

        failing.inTransaction(session -> {
            session.persist(order);
            assertThatThrownBy(session::flush)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Order 1");
        });

        assertThat(orders()).isZero();
        assertThat(order.recordedEvents()).containsExactly("placed");
    }

    @Test
    void messageThatTheDatabaseRefusesKeepsItsEntityFromBeingCommitted() {
        SessionFactory failing = shop.factory(PostriderHibernate.of(
                JdbcOutbox.create(),
                recorded -> OutboxMessage.to("shop", "twice").id(TWICE).build()));
        Order order = new Order(1).with("a").with("b");

        assertThatThrownBy(() -> failing.inTransaction(session -> session.persist(order)))
                .isInstanceOf(OutboxException.class);

        assertThat(orders()).isZero();
        assertThat(shop.stored()).isEmpty();
        assertThat(order.recordedEvents()).containsExactly("a", "b");
    }

    @Test
    void statelessSessionRefusesAnEntityWithEvents() {
        factory.inTransaction(session -> session.persist(new Order(2)));

        assertThatThrownBy(() -> factory.inStatelessTransaction(session -> session.insert(new Order(1).with("placed"))))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("StatelessSession");
        assertThatThrownBy(() -> factory.inStatelessTransaction(
                        session -> session.update(session.get(Order.class, 2L).move("paid"))))
                .isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> factory.inStatelessTransaction(
                        session -> session.upsert(session.get(Order.class, 2L).move("paid"))))
                .isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> factory.inStatelessTransaction(
                        session -> session.delete(session.get(Order.class, 2L).with("cancelled"))))
                .isInstanceOf(OutboxException.class);

        assertThat(orders()).isOne();
    }

    @Test
    void statelessSessionWritesAnEntityWithoutEvents() {
        factory.inStatelessTransaction(session -> session.insert(new Order(1)));

        assertThat(orders()).isOne();
    }

    @Test
    void bulkStatementKnowsNoEntitiesAndEnqueuesNothing() {
        factory.inTransaction(session -> session.persist(new Order(1)));

        factory.inTransaction(session ->
                session.createMutationQuery("update Order set state = 'paid'").executeUpdate());

        assertThat(shop.stored()).isEmpty();
    }

    private long orders() {
        return factory.fromTransaction(session ->
                session.createQuery("select count(*) from Order", Long.class).getSingleResult());
    }
}
