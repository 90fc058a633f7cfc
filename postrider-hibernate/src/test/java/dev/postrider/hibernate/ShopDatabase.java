package dev.postrider.hibernate;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import dev.postrider.spi.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.SchemaToolingSettings;
import org.junit.jupiter.api.Assumptions;

/** The tables of the {@link Shop} beside those of the outbox, and session factories over them. */
final class ShopDatabase implements AutoCloseable {

    private static final PreparedDatabases DATABASES = new PreparedDatabases(source -> {
        OutboxSchema.of(source).migrate();
        factory(source, Map.of(SchemaToolingSettings.HBM2DDL_AUTO, "create")).close();
    });

    private final Database database;
    private final List<SessionFactory> factories = new ArrayList<>();

    private ShopDatabase(Database database) {
        this.database = database;
    }

    static ShopDatabase of(Kind kind) {
        Availability server = Database.available(kind);
        Assumptions.assumeTrue(server.available(), server::reason);
        return new ShopDatabase(DATABASES.take(kind));
    }

    /** An event becomes a message of its name, with the entity's identifier as its key. */
    static OutboxMessage message(RecordedEvent recorded) {
        return OutboxMessage.to("shop", recorded.event().toString())
                .key(recorded.aggregateType() + " " + recorded.aggregateId())
                .payload("{}")
                .build();
    }

    static PostriderHibernate integration() {
        return PostriderHibernate.of(JdbcOutbox.create(), ShopDatabase::message);
    }

    SessionFactory factory(PostriderHibernate integration) {
        return factory(Map.of(PostriderHibernate.SETTING, integration));
    }

    SessionFactory factory(Map<String, Object> settings) {
        SessionFactory factory = factory(database.dataSource(), settings);
        factories.add(factory);
        return factory;
    }

    private static SessionFactory factory(DataSource source, Map<String, Object> settings) {
        Configuration configuration = new Configuration();
        Shop.ENTITIES.forEach(configuration::addAnnotatedClass);
        configuration
                .addAnnotatedClass(FamilyHub.FamilyMemberInvitation.class)
                .addAnnotatedClass(OrderService.Purchase.class)
                .addAnnotatedClass(OrderService.PurchaseItem.class);
        configuration.getProperties().put(JdbcSettings.JAKARTA_NON_JTA_DATASOURCE, source);
        configuration.getProperties().putAll(settings);
        return configuration.buildSessionFactory();
    }

    /** The types of the messages that were committed, in the order in which they were enqueued. */
    List<String> stored() {
        return column("type");
    }

    long pending() {
        return admin().stats().pending();
    }

    OutboxAdmin admin() {
        return JdbcOutboxAdmin.of(database.dataSource());
    }

    OutboxStore store() {
        return JdbcOutboxStore.builder(database.dataSource()).build();
    }

    List<String> column(String name) {
        return factories
                .get(0)
                .fromTransaction(session -> session.createNativeQuery(
                                "select " + name + " from outbox_message order by seq", String.class)
                        .list());
    }

    @Override
    public void close() {
        factories.forEach(SessionFactory::close);
        database.close();
    }
}
