package dev.postrider.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.postrider.inbox.InboxPurgeJob;
import dev.postrider.relay.RetentionJob;
import java.io.ObjectInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules between and inside the published modules. */
final class ArchitectureTest {

    private static final String API = "dev.postrider";
    private static final String SPI = "dev.postrider.spi";
    private static final String RELAY = "dev.postrider.relay";
    private static final String RETRY = "dev.postrider.retry";
    private static final String ADMIN = "dev.postrider.admin";
    private static final String PUBLISH = "dev.postrider.publish";
    private static final String ALERT = "dev.postrider.alert";
    private static final String MONITOR = "dev.postrider.monitor";
    private static final String SAFETY = "dev.postrider.safety";
    private static final String THREAD = "dev.postrider.thread";
    private static final String DATABASE = "dev.postrider.database";
    private static final String STORE = "dev.postrider.jdbc";
    private static final String ROW = "dev.postrider.jdbc.row";
    private static final String JDBC = "dev.postrider.jdbc..";
    private static final String INBOX = "dev.postrider.inbox..";
    private static final String CONSUMER = "dev.postrider.inbox.consumer";
    private static final String SAGA = "dev.postrider.saga";
    private static final String SAGA_TESTKIT = "dev.postrider.saga.testkit";
    private static final String ALL = "dev.postrider.all";
    private static final String KAFKA = "dev.postrider.kafka..";
    private static final String RABBITMQ = "dev.postrider.rabbitmq..";
    private static final String HTTP = "dev.postrider.http..";
    private static final String MICROMETER = "dev.postrider.micrometer..";
    private static final String JACKSON = "dev.postrider.jackson..";
    private static final String HIBERNATE = "dev.postrider.hibernate";
    private static final String SPRING = "dev.postrider.spring";
    private static final String BOOT = "dev.postrider.spring.boot";
    private static final String SPRING_TEST = "dev.postrider.spring.test";
    private static final String TESTKIT = "dev.postrider.testkit..";
    private static final String[] CORE = {API, SPI, RELAY, RETRY, ADMIN, PUBLISH, ALERT, MONITOR, SAFETY, THREAD};

    private static final JavaClasses PUBLISHED = new ClassFileImporter()
            // Not the predefined option: that knows the default build folder only.
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.postrider")
            .that(resideInAnyPackage(concat(
                    CORE,
                    DATABASE,
                    JDBC,
                    INBOX,
                    SAGA,
                    SAGA_TESTKIT,
                    ALL,
                    KAFKA,
                    RABBITMQ,
                    HTTP,
                    MICROMETER,
                    JACKSON,
                    HIBERNATE,
                    SPRING,
                    BOOT + "..",
                    SPRING_TEST,
                    TESTKIT)));

    // A new public type is a promise for years: whoever makes one adds it here.
    private enum Module {
        CORE(String.join(" ", ArchitectureTest.CORE), """
                dev.postrider: EnqueueListener HeaderSource KeyRing LostClaimException MessageLimits MessageStatus Outbox OutboxException OutboxMessage
                dev.postrider: Receipt TenantPolicy
                dev.postrider.admin: ArchivedMessage Attempt AuditEntry AuditFilter BlockedKey ClosedTopic DeadGroup DeadMessages Decision MessageEdit
                dev.postrider.admin: MessageFilter MessageStateException OutboxAdmin OutboxStats Page Slice StoredMessage
                dev.postrider.admin: BulkAction BulkActions BulkOptions BulkPlan BulkProgress BulkResult BulkRow BulkStatus
                dev.postrider.admin: Retention RetentionStep RetentionStore
                dev.postrider.admin: Decided KnownRelay Neighbours PausedTopic RelayAdmin ShardOwner TopicFigures TopicStats
                dev.postrider.alert: Alert AlertSender LogAlertSender
                dev.postrider.monitor: AlertCondition AlertMonitor AlertMonitorBuilder AlertRule
                dev.postrider.safety: BackupFiles DeadMessage SafetyNet SafetyNetCounts
                dev.postrider.relay: CommitSignal KeyPolicy ManualRelay Preset Relay RelayBuilder RelayHealth RelayListener
                dev.postrider.publish: CloudEventAttributes Delivery HandlerPublisher MessageHandler MessageHeaders
                dev.postrider.publish: NameTemplate RejectedMessageException RoutingPublisher TopicPattern
                dev.postrider.relay: HealthReport RetentionJob
                dev.postrider.retry: RetryPolicy
                dev.postrider.spi: Acquired ClaimSize ClaimedMessage ClosedGate DuePosition ErrorText Failure FetchRequest FetchedDue
                dev.postrider.spi: FetchedPage FetchedRow JsonText Membership MessagePublisher MessageSender OutboxStore OwnedShard PublishAnswers
                dev.postrider.spi: PayloadCodec PublishResult SeqRange Settled Settlement ShardStore Shards TopicFilter TopicName
                dev.postrider.spi: Unblocked UnknownPayloadException WakeUp Writer
                dev.postrider.spi: RelayMode RelayReport Wanted
                dev.postrider.thread: SupervisedThread TimerThread WorkerPool
                """),
        // HeldKeys, OutboxDialect and everything in row are public for the operator's package only.
        JDBC(ArchitectureTest.DATABASE + " " + ArchitectureTest.JDBC, """
                dev.postrider.database: Dialect FaultPoint FrameworkTransaction GuardedConnection HeaderCodec Micros NetworkTimeout OpenTransaction Placeholders RowReader SchemaFiles Session
                dev.postrider.database: SchemaState SchemaVersionException SqlErrors SqlText SqlWork TableNames TableSize Transactions VersionedSchema
                dev.postrider.jdbc: JdbcOutbox JdbcOutboxStore OutboxSchema TransactionSource
                dev.postrider.jdbc: HeldKeys OutboxDialect
                dev.postrider.jdbc.operator: JdbcBulkActions JdbcDeadMessages JdbcOutboxAdmin JdbcRelayAdmin JdbcRestore JdbcRetention
                dev.postrider.jdbc.postgres: PostgresWakeUp
                dev.postrider.jdbc.row: ControlCode KeyName MessageRows RowFields RowKeys Seal StatusCode
                """),
        INBOX(ArchitectureTest.INBOX, """
                dev.postrider.inbox: Dedupe Horizon Inbox InboxAdmin InboxBatchHandler InboxBatchResult InboxEntry InboxException
                dev.postrider.inbox: InboxHandler InboxListener InboxOrdering InboxPurgeJob InboxResult InboxSchema InboxTransaction
                dev.postrider.inbox: JdbcInbox JdbcInboxAdmin ParkReason ParkedMessage ReceivedHandler ReceivedMessage
                dev.postrider.inbox.consumer: ConsumerHealth ConsumerLanes ConsumerLoops ConsumerSession ConsumerSettings ReceivedHeaders
                """),
        SAGA(ArchitectureTest.SAGA, """
                dev.postrider.saga: Answer Command CommandHandler DefinitionProbe Direction DurableSaga DurableSagaBuilder DurableSagaDefinition
                dev.postrider.saga: DurableSteps ExternalCall ExternalStep JournalEntry LocalSaga LocalSagaBuilder LocalSagaDefinition
                dev.postrider.saga: LocalStep LocalSteps OnTimeout Participant Reply RequestStep Saga SagaAdmin SagaAuditEntry
                dev.postrider.saga: SagaCodec SagaDefinition SagaDetails SagaEngine SagaException SagaFailure SagaFilter SagaHandle
                dev.postrider.saga: SagaListener SagaOutcomeUnknownException SagaPurgeJob SagaResult SagaSchema SagaStateException SagaStatus
                dev.postrider.saga: SagaSummary StepBuilder StepReport StepStatus StepTransaction
                """),
        SAGA_TESTKIT(ArchitectureTest.SAGA_TESTKIT, """
                dev.postrider.saga.testkit: SagaTest SagaTestReport
                """),
        ALL(ArchitectureTest.ALL, """
                dev.postrider.all: Postrider PostriderBuilder
                """),
        HIBERNATE(ArchitectureTest.HIBERNATE, """
                dev.postrider.hibernate: AggregateRoot EventMapper EventRecorder PostriderHibernate PostriderIntegrator RecordedEvent RecordedEvents
                """),
        SPRING(ArchitectureTest.SPRING, """
                dev.postrider.spring: InboxListener NoTransactionException OutboxEvent OutboxHandler SpringHandlerTransactions SpringInbox SpringTransactions
                """),
        // Everything in internal, PublisherTimer and RelayPublishers are public for the other packages only.
        BOOT(ArchitectureTest.BOOT + "..", """
                dev.postrider.spring.boot: PayloadCustomizer PostriderCustomizer PostriderProperties RelayCustomizer
                dev.postrider.spring.boot.console: ConsoleStreamsEnd
                dev.postrider.spring.boot.internal: AfterCommit BeanMethods SettingsException StartStop WakeUps
                dev.postrider.spring.boot.relay: PublisherTimer RelayPublishers
                """),
        SPRING_TEST(ArchitectureTest.SPRING_TEST, """
                dev.postrider.spring.test: CommittedMessagesAssert OutboxProbe PostriderTest
                """),
        HTTP(ArchitectureTest.HTTP, """
                dev.postrider.http: HttpPublisher HttpPublisherBuilder WebhookAlertSender
                """),
        MICROMETER(ArchitectureTest.MICROMETER, """
                dev.postrider.micrometer: InboxMetrics PostriderMetrics SagaMetrics
                """),
        JACKSON(ArchitectureTest.JACKSON, """
                dev.postrider.jackson: JsonLimits JsonPayloadCodec JsonSagaCodec
                """),
        KAFKA(ArchitectureTest.KAFKA, """
                dev.postrider.kafka: KafkaInboxConsumer KafkaInboxConsumerBuilder KafkaPublisher KafkaPublisherBuilder
                """),
        RABBITMQ(ArchitectureTest.RABBITMQ, """
                dev.postrider.rabbitmq: ExchangeReport RabbitInboxConsumer RabbitPublisher
                """),
        TESTKIT(ArchitectureTest.TESTKIT, """
                dev.postrider.testkit: FlakyPublisher FlakyStore InMemoryOutbox InMemoryOutboxStore InMemoryTransaction
                dev.postrider.testkit: MessagesAssert OutboxAssert OutboxAssertions OutboxExtension OutboxStoreContract
                dev.postrider.testkit: OutboxTest OutboxTransaction PublisherAssert PublisherContract ReceivedAssert
                dev.postrider.testkit: RecordingPublisher RelayContract VirtualClock
                """);

        private final String packages;
        private final String publicTypes;

        Module(String packages, String publicTypes) {
            this.packages = packages;
            this.publicTypes = publicTypes;
        }

        Set<String> allowed() {
            return publicTypes
                    .lines()
                    .flatMap(line -> Arrays.stream(
                                    line.substring(line.indexOf(':') + 2).split(" ", -1))
                            .map(type -> line.substring(0, line.indexOf(':')) + "." + type))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTypeIsPublicUnlessItIsListed(Module module) {
        Set<String> found = PUBLISHED.that(resideInAnyPackage(module.packages.split(" ", -1))).stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(found).isEqualTo(module.allowed());
    }

    @Test
    void coreNeedsNothingButTheJdkSlf4jAndJspecify() {
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(CORE, "java..", "javax.crypto..", "org.slf4j..", "org.jspecify.."))
                .check(PUBLISHED);
    }

    @Test
    void coreKnowsNoDatabase() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(PUBLISHED);
    }

    @Test
    void jdbcNeedsNothingButCoreAndTheJdk() {
        classes()
                .that()
                .resideInAPackage(JDBC)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        ADMIN,
                        SAFETY,
                        DATABASE,
                        JDBC,
                        "java..",
                        "javax.crypto..",
                        "javax.sql..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "org.postgresql..")
                .check(PUBLISHED);
    }

    @Test
    void theStoreKnowsNoOperatorAndARowKnowsNoStore() {
        noClasses()
                .that()
                .resideInAnyPackage(STORE, ROW, STORE + ".postgres")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(STORE + ".operator")
                .check(PUBLISHED);
        noClasses()
                .that()
                .resideInAPackage(ROW)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(STORE, STORE + ".postgres")
                .check(PUBLISHED);
    }

    // They are public only because the module has more than one package.
    @Test
    void whatIsInternalToJdbcIsUsedByJdbcOnly() {
        noClasses()
                .that(not(resideInAnyPackage(JDBC)))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(ROW).or(name(STORE + ".HeldKeys")).or(name(STORE + ".OutboxDialect")))
                .check(PUBLISHED);
    }

    @Test
    void retryPoliciesNeedNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage(RETRY)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(RETRY, "java..", "org.jspecify..")
                .check(PUBLISHED);
    }

    @Test
    void whatTheModulesWithTablesShareKnowsNoneOfThem() {
        classes()
                .that()
                .resideInAPackage(DATABASE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API, SPI, DATABASE, "java..", "javax.sql..", "org.postgresql", "org.slf4j..", "org.jspecify..")
                .check(PUBLISHED);
    }

    @Test
    void inboxNeedsNothingButCoreJdbcAndTheJdk() {
        classes()
                .that()
                .resideInAPackage(INBOX)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                API,
                                SPI,
                                RETRY,
                                ADMIN,
                                PUBLISH,
                                THREAD,
                                DATABASE,
                                JDBC,
                                INBOX,
                                "java..",
                                "javax.sql..",
                                "org.slf4j..",
                                "org.jspecify..")
                        .or(belongToAnyOf(RetentionJob.class)))
                .check(PUBLISHED);
    }

    @Test
    void sagaNeedsNothingButCoreJdbcInboxAndTheJdk() {
        classes()
                .that()
                .resideInAPackage(SAGA)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                API,
                                SPI,
                                RETRY,
                                ADMIN,
                                THREAD,
                                DATABASE,
                                JDBC,
                                INBOX,
                                SAGA,
                                "java..",
                                "javax.sql..",
                                "org.slf4j..",
                                "org.jspecify..")
                        .or(belongToAnyOf(RetentionJob.class)))
                .check(PUBLISHED);
    }

    @Test
    void theHandleNeedsNothingButTheModulesItJoins() {
        classes()
                .that()
                .resideInAPackage(ALL)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        concat(CORE, DATABASE, JDBC, INBOX, SAGA, ALL, "java..", "javax.sql..", "org.jspecify.."))
                .check(PUBLISHED);
    }

    @Test
    void theTestkitOfSagasNeedsNothingButSagasAndTheJdk() {
        classes()
                .that()
                .resideInAPackage(SAGA_TESTKIT)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API, ADMIN, DATABASE, JDBC, SAGA, SAGA_TESTKIT, "java..", "javax.sql..", "org.jspecify..")
                .check(PUBLISHED);
    }

    @Test
    void httpNeedsNothingButCoreAndItsClient() {
        classes()
                .that()
                .resideInAPackage(HTTP)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        RETRY,
                        PUBLISH,
                        ALERT,
                        THREAD,
                        HTTP,
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl..",
                        "org.apache.hc..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(PUBLISHED);
    }

    @Test
    void rabbitmqNeedsNothingButCoreInboxItsClientAndTheJdk() {
        classes()
                .that()
                .resideInAPackage(RABBITMQ)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        PUBLISH,
                        INBOX,
                        THREAD,
                        RABBITMQ,
                        "com.rabbitmq.client",
                        "java..",
                        "javax.net..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(PUBLISHED);
    }

    @Test
    void kafkaNeedsNothingButCoreInboxAndTheClient() {
        classes()
                .that()
                .resideInAPackage(KAFKA)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        PUBLISH,
                        INBOX,
                        THREAD,
                        KAFKA,
                        "java..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "org.apache.kafka..")
                .check(PUBLISHED);
    }

    // Whoever only publishes does not have it.
    @Test
    void onlyTheConsumersOfTheAdaptersKnowTheInbox() {
        noClasses()
                .that()
                .resideInAnyPackage(KAFKA, RABBITMQ)
                .and()
                .haveNameNotMatching(".*[.](Kafka|Rabbit)(InboxConsumer|Session).*|.*[.](Record|Delivery)Reader")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(INBOX)
                .check(PUBLISHED);
    }

    @Test
    void micrometerNeedsNothingButTheRegistryAndWhatItWatches() {
        classes()
                .that()
                .resideInAPackage(MICROMETER)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        CORE,
                        MICROMETER,
                        INBOX,
                        SAGA,
                        "java..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "io.micrometer.core.instrument.."))
                .check(PUBLISHED);
    }

    @Test
    void metricsOfTheOutboxNeedNeitherInboxNorSagas() {
        noClasses()
                .that()
                .resideInAPackage(MICROMETER)
                .and()
                .haveNameNotMatching(".*\\.micrometer\\.(Inbox|PutAside|Saga|OverdueSagas).*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INBOX, SAGA)
                .because("inbox and sagas are optional dependencies")
                .check(PUBLISHED);
    }

    @Test
    void jacksonNeedsNothingButCoreSagasAndTheMapper() {
        classes()
                .that()
                .resideInAPackage(JACKSON)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        PUBLISH,
                        SAGA,
                        JACKSON,
                        "java..",
                        "org.jspecify..",
                        "com.fasterxml.jackson.annotation..",
                        "tools.jackson..")
                .check(PUBLISHED);
    }

    // Another framework's integration, and a test, must be able to use them without Spring Boot.
    @Test
    void springTransactionsKnowNoSpringBoot() {
        noClasses()
                .that()
                .resideInAPackage(SPRING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BOOT + "..", "org.springframework.boot..")
                .check(PUBLISHED);
    }

    @Test
    void onlyTheIntegrationsKnowSpring() {
        noClasses()
                .that(not(resideInAnyPackage(SPRING, BOOT + "..", SPRING_TEST)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", SPRING + "..")
                .check(PUBLISHED);
    }

    @Test
    void whatIsInternalToTheAutoConfigurationIsUsedByItOnly() {
        noClasses()
                .that(not(resideInAnyPackage(BOOT + "..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BOOT + ".internal")
                .check(PUBLISHED);
        noClasses()
                .that()
                .resideInAPackage(BOOT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BOOT + ".inbox", BOOT + ".observe", BOOT + ".relay")
                .because("each of them builds on the handle and not the other way round")
                .check(PUBLISHED);
    }

    @Test
    void hibernateNeedsNothingButTheOutboxAndHibernate() {
        classes()
                .that()
                .resideInAPackage(HIBERNATE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        API,
                        SPI,
                        JDBC,
                        HIBERNATE,
                        "java..",
                        "jakarta.persistence..",
                        "org.hibernate..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(PUBLISHED);
    }

    // Whoever has no sagas does not have the module.
    @Test
    void onlyTheCodecOfSagasKnowsSagas() {
        noClasses()
                .that()
                .resideInAPackage(JACKSON)
                .and()
                .haveNameNotMatching(".*[.]JsonSagaCodec")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SAGA)
                .check(PUBLISHED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                API, SPI, RETRY, ADMIN, PUBLISH, ALERT, SAFETY, THREAD, DATABASE, JDBC, INBOX, KAFKA, RABBITMQ, HTTP,
                JACKSON, HIBERNATE
            })
    void onlyWatchersAndTheTestkitDependOnTheRelay(String origin) {
        noClasses()
                .that()
                .resideInAPackage(origin)
                .and(not(belongToAnyOf(InboxPurgeJob.class)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(RELAY)
                .because("the relay drives the ports, never the other way round")
                .check(PUBLISHED);
    }

    @Test
    void onlyModulesWithTablesSpeakSql() {
        noClasses()
                .that(not(resideInAnyPackage(DATABASE, JDBC, INBOX, SAGA, SAGA_TESTKIT, ALL, SPRING, BOOT + "..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(PUBLISHED);
    }

    // The contracts in the testkit are tests: they need two threads to show what happens between them.
    @Test
    void threadsAreSupervised() {
        DescribedPredicate<JavaClass> threads = assignableTo(Thread.class)
                .or(assignableTo(Executor.class))
                .or(assignableTo(Timer.class))
                .and(not(resideInAnyPackage(THREAD)));
        noClasses()
                .that(not(resideInAnyPackage(THREAD, TESTKIT)))
                .should()
                .callConstructorWhere(target(owner(threads)))
                .orShould()
                .dependOnClassesThat(assignableTo(Executors.class).or(assignableTo(ForkJoinPool.class)))
                .because("a thread that nobody watches ends silently by the first Error")
                .check(PUBLISHED);
    }

    @Test
    void onlyTheRelaySagasPublishersConsumersTheSafetyNetAndWatchersHaveThreads() {
        noClasses()
                .that(not(resideInAnyPackage(
                        RELAY,
                        SAGA,
                        PUBLISH,
                        SAFETY,
                        MONITOR,
                        MICROMETER,
                        CONSUMER,
                        KAFKA,
                        RABBITMQ,
                        HTTP,
                        THREAD,
                        TESTKIT)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(THREAD).or(assignableTo(Executor.class)))
                .check(PUBLISHED);
    }

    @Test
    void noClassIsLoadedByItsName() {
        noClasses()
                .should()
                .callMethodWhere(target(name("forName")).and(target(owner(equivalentTo(Class.class)))))
                .orShould()
                .callMethodWhere(target(name("loadClass")))
                .because("a row must never decide which code runs")
                .check(PUBLISHED);
    }

    @Test
    void nothingIsDeserialized() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(PUBLISHED);
    }

    @Test
    void packagesSayWhatTheyAreAbout() {
        noClasses()
                .should()
                .resideInAnyPackage("..impl..", "..util..", "..common..", "..model..", "..dto..")
                .check(PUBLISHED);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveNameMatching(".*[.$](Default|Base)[A-Z][^.$]*")
                .orShould()
                .haveNameMatching(".*(Manager|Helper|Utils?|Processor|Service)")
                .check(PUBLISHED);
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<JavaPackage> packages =
                PUBLISHED.stream().map(JavaClass::getPackage).collect(Collectors.toSet());

        assertThat(packages).allMatch(each -> each.isAnnotatedWith(NullMarked.class));
    }

    // Open for a reason: OutboxException and VersionedSchema have subclasses, AggregateRoot is a base class for
    // entities, SagaDefinition and StepBuilder are sealed, and the authors of adapters extend the contracts.
    @Test
    void classesAreFinalUnlessTheyAreMadeToBeExtended() {
        Set<String> open = PUBLISHED.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.isInterface() && !type.isEnum() && !type.isRecord())
                .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
                .map(JavaClass::getName)
                .filter(name -> !name.endsWith("package-info"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(open)
                .containsExactlyElementsOf(List.of(
                        "dev.postrider.OutboxException",
                        "dev.postrider.database.VersionedSchema",
                        "dev.postrider.hibernate.AggregateRoot",
                        "dev.postrider.saga.SagaDefinition",
                        "dev.postrider.saga.StepBuilder",
                        "dev.postrider.testkit.OutboxStoreContract",
                        "dev.postrider.testkit.PublisherContract",
                        "dev.postrider.testkit.RelayContract",
                        "dev.postrider.testkit.RelayDeliveryContract",
                        "dev.postrider.testkit.RelaySteps"));
    }

    private static String[] concat(String[] first, String... second) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(second)).toArray(String[]::new);
    }
}
