package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A start that fails says why, and what to write instead. */
final class StartFailureTest {

    @ParameterizedTest
    @CsvSource({
        "postrider.relay.pol-interval, postrider.relay.poll-interval",
        "postrider.relay.interval, postrider.relay.poll-interval",
        "postrider.outbox.tableprefixes, postrider.outbox.table-prefix",
        "postrider.schema.modus, postrider.schema.mode",
        "postrider.publishers, postrider.publisher",
        "postrider.relay.retry.max-attemps, postrider.relay.retry.max-attempts",
        "postrider.topics.orders.exchnge, postrider.topics.orders.exchange"
    })
    void unknownSettingFailsTheStartWithTheNearestOne(String unknown, String nearest) {
        FailureAnalysis analysis = StartFailures.analysis(producer().withPropertyValues(unknown + "=1"));

        assertThat(analysis.getDescription()).contains("There is no setting '%s'".formatted(unknown));
        assertThat(analysis.getAction()).contains("Write %s instead of %s".formatted(nearest, unknown));
    }

    @Test
    void everyKnownSettingIsAccepted() {
        producer()
                .withPropertyValues(
                        "postrider.relay.retry.max-attempts=3",
                        "postrider.relay.pollInterval=1s",
                        "postrider.topics.orders.exchange=shop",
                        "postrider.topics.[shop/orders.*].url=https://shop.example",
                        "postrider.payload.types.order.placed.again=java.lang.Integer",
                        "postrider.inbox.table-prefix=inbox_",
                        "postrider.saga.threads=1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "postrider.relay.preset=orders, There is no preset 'orders'; there are saga",
        "postrider.relay.poll-interval=0s, pollInterval must be positive",
        "postrider.relay.batch-size=0, batchSize must be at least 1",
        "postrider.relay.poll-interval=20s, above claimFor / 3",
        "postrider.relay.publish-timeout=5m, above claimFor",
        "postrider.relay.retry.max-attempts=0, maxAttempts must be at least 1",
        "postrider.relay.pool-size=-1, postrider.relay.pool-size cannot be -1",
        "postrider.relay.ownership-time=1ms, postrider.relay.ownership-time cannot be PT0.001S",
        "postrider.outbox.namespace=, namespace must not be blank",
        "postrider.outbox.table-prefix=drop table, cannot be called 'drop table...'",
        "postrider.schema.name=a.b, cannot be called 'a.b."
    })
    void valueThatCannotBeFailsTheStartAndNamesItsSetting(String property, String said) {
        FailureAnalysis analysis = StartFailures.analysis(
                Contexts.embedded().withBean(Deliveries.class).withPropertyValues(property));

        assertThat(analysis.getDescription()).contains(said);
        assertThat(analysis.getAction()).contains("postrider.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postrider.publisher=kafak", "postrider.topics.orders.publisher=kafak"})
    void unknownPublisherFailsTheStartWithThoseThereAre(String property) {
        FailureAnalysis analysis = StartFailures.analysis(
                Contexts.embedded().withBean(Deliveries.class).withPropertyValues(property));

        assertThat(analysis.getDescription()).contains("'kafak'", "available are handler, http");
        assertThat(analysis.getAction()).contains("Use kafka, rabbitmq, http or handler");
    }

    @ParameterizedTest
    @CsvSource({"kafka, spring-boot-starter-kafka", "rabbitmq, spring-boot-starter-amqp"})
    void publisherWhoseBrokerBeanIsMissingFailsTheStart(String publisher, String remedy) {
        FailureAnalysis analysis =
                StartFailures.analysis(Contexts.embedded().withPropertyValues("postrider.publisher=" + publisher));

        assertThat(analysis.getDescription())
                .contains("the publisher %s is not available; available are http".formatted(publisher));
        assertThat(analysis.getAction()).contains(remedy, "spring." + publisher);
    }

    @ParameterizedTest
    @CsvSource({
        "handler, url=https://shop.example, url belongs to the publisher http, publisher=http",
        "http, exchange=shop, exchange belongs to the publisher rabbitmq, publisher=rabbitmq",
        ", topic=orders, topic belongs to the publisher kafka, publisher=kafka"
    })
    void settingOfAnotherPublisherFailsTheStart(String publisher, String setting, String said, String remedy) {
        String named = publisher == null ? "url=https://shop.example" : "publisher=" + publisher;

        FailureAnalysis analysis = StartFailures.analysis(Contexts.embedded()
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.topics.orders." + named, "postrider.topics.orders." + setting));

        assertThat(analysis.getDescription()).contains(said);
        assertThat(analysis.getAction()).contains(remedy);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void missingTablesFailTheStart(Kind kind) {
        FailureAnalysis analysis =
                StartFailures.analysis(Contexts.on(kind).withPropertyValues("postrider.schema.mode=validate"));

        assertThat(analysis.getDescription()).contains("are missing");
        assertThat(analysis.getAction()).contains("postrider.schema.mode=create-or-migrate", "schemaSql()");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void oldTablesFailTheStart(Kind kind) {
        FailureAnalysis analysis =
                afterwards(Contexts.on(kind), "delete from outbox_schema_version where version > 1", "validate");

        assertThat(analysis.getDescription()).contains("have version 1 but this library needs");
        assertThat(analysis.getAction()).contains("postrider.schema.mode=create-or-migrate", "META-INF/postrider");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void tablesOfANewerVersionFailTheStartAndNoMigrationIsOffered(Kind kind) {
        for (String mode : new String[] {"validate", "create-or-migrate"}) {
            FailureAnalysis analysis = afterwards(
                    Contexts.on(kind), "update outbox_schema_version set version = 99 where version = 1", mode);

            assertThat(analysis.getDescription()).contains("have version 99");
            assertThat(analysis.getAction()).contains("upgrade Postrider").doesNotContain("create-or-migrate");
        }
    }

    // The PostgreSQL of the tests asks for no password, but it knows its users.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void wrongUserAndPasswordFailTheStart(Kind kind) {
        for (String mode : new String[] {"validate", "none"}) {
            refusesTheUser(Contexts.on(kind)
                    .withPropertyValues(
                            "spring.datasource.username=nobody",
                            "spring.datasource.password=wrong",
                            "postrider.schema.mode=" + mode));
        }
    }

    @Test
    void wrongPasswordOfAnEmbeddedDatabaseFailsTheStart() throws SQLException {
        JdbcDataSource known = new JdbcDataSource();
        known.setUrl("jdbc:h2:mem:locked");
        known.setUser("shop");
        known.setPassword("right");
        try (Connection open = known.getConnection()) {
            assertThat(open.isClosed()).isFalse();
            refusesTheUser(Contexts.embedded()
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:h2:mem:locked",
                            "spring.datasource.username=shop",
                            "spring.datasource.password=wrong"));
        }
    }

    private static void refusesTheUser(ApplicationContextRunner runner) {
        FailureAnalysis analysis = StartFailures.analysis(runner);

        assertThat(analysis.getDescription()).contains("refused the user or the password");
        assertThat(analysis.getAction()).contains("spring.datasource.password");
    }

    @Test
    void databaseThatIsNotThereFailsTheStart() {
        FailureAnalysis analysis = StartFailures.analysis(Contexts.on(Kind.POSTGRES_18)
                .withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/shop"));

        assertThat(analysis.getDescription()).contains("cannot be reached");
        assertThat(analysis.getAction()).contains("spring.datasource.url");
    }

    @Test
    void twoDataSourcesWithoutAPrimaryOneFailTheStart() {
        FailureAnalysis analysis = StartFailures.analysis(producer()
                .withBean("orders", DataSource.class, StartFailureTest::dataSource)
                .withBean("reports", DataSource.class, StartFailureTest::dataSource));

        assertThat(analysis.getDescription()).contains("2 data sources of which none is primary", "orders", "reports");
        assertThat(analysis.getAction()).contains("@Primary", "spring.autoconfigure.exclude");
    }

    @Test
    void primaryOneOfTwoDataSourcesGetsTheMessages() {
        producer()
                .withBean("orders", DataSource.class, StartFailureTest::dataSource, bean -> bean.setPrimary(true))
                .withBean("reports", DataSource.class, StartFailureTest::dataSource)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Outbox.class));
    }

    @ParameterizedTest
    @ValueSource(classes = {WantsManager.class, WantsTemplate.class})
    void twoTransactionManagersFailTheStartOfABeanThatWantsOne(Class<?> wanted) {
        FailureAnalysis analysis = StartFailures.analysis(
                producer().withUserConfiguration(TwoManagers.class).withBean(wanted));

        assertThat(analysis.getDescription()).contains("2 transaction managers", "first", "second");
        assertThat(analysis.getAction()).contains("@Primary", "@Transactional(\"first\")");
    }

    @Test
    void enqueueAtStartWithoutTransactionSaysHowToGetOne() {
        FailureAnalysis analysis = StartFailures.analysis(producer().withBean(EnqueuesAtStart.class));

        assertThat(analysis.getDescription()).contains("inside a transaction");
        assertThat(analysis.getAction()).contains("TransactionTemplate");
    }

    private static FailureAnalysis afterwards(ApplicationContextRunner runner, String sql, String mode) {
        runner.withPropertyValues("postrider.schema.mode=create-or-migrate", "postrider.relay.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    execute(context.getBean(DataSource.class), sql);
                });
        return StartFailures.analysis(runner.withPropertyValues("postrider.schema.mode=" + mode));
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static ApplicationContextRunner producer() {
        return Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false", "postrider.schema.mode=create-or-migrate");
    }

    private static DataSource dataSource() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    /** Two managers of one data source. */
    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        PlatformTransactionManager first(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager second(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    /** Wants the one transaction manager. */
    static class WantsManager {

        WantsManager(PlatformTransactionManager manager) {}
    }

    /** Wants the template of the one transaction manager. */
    static class WantsTemplate {

        WantsTemplate(TransactionTemplate template) {}
    }

    /** Enqueues before anything could begin a transaction. */
    static class EnqueuesAtStart implements InitializingBean {

        private final Outbox outbox;

        EnqueuesAtStart(Outbox outbox) {
            this.outbox = outbox;
        }

        @Override
        public void afterPropertiesSet() {
            outbox.enqueue(Contexts.message("a"));
        }
    }
}
