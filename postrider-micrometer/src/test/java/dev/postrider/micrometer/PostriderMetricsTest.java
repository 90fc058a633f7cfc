package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.RetentionStep;
import dev.postrider.relay.RelayHealth;
import dev.postrider.relay.RetentionJob;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@org.junit.jupiter.api.Tag("R4.8")
class PostriderMetricsTest {

    private static final OutboxStats STATS = new OutboxStats(7, 6, 5, Duration.ofSeconds(90), 10_000, 4, 3, 2);
    private static final TopicName ORDERS = new TopicName("default", "orders");

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES_18"})
    void aRealRelayIsCounted(Kind kind) {
        try (Shop shop = new Shop(kind, registry)) {
            shop.everythingHappens();

            assertThat(shop.settled("delivered")).isEqualTo(2);
            assertThat(shop.settled("retry")).isEqualTo(1);
            assertThat(shop.settled("dead")).isEqualTo(2);
            assertThat(counter(MeterNames.INTEGRITY_FAILURES)).isEqualTo(1);
            assertThat(counter(MeterNames.ANSWERS_IGNORED)).isEqualTo(1);
            assertThat(counter(MeterNames.SHARDS_ACQUIRED)).isEqualTo(64);
            assertThat(function(MeterNames.ALIAS_PROCESSED)).isEqualTo(2);
            assertThat(function(MeterNames.ALIAS_FAILED)).isEqualTo(3);
            assertThat(function(MeterNames.ALIAS_INTEGRITY)).isEqualTo(1);
            assertThat(function(MeterNames.ALIAS_RECOVERED)).isEqualTo(2);
            assertThat(gauge(MeterNames.PENDING)).isEqualTo(1);
            assertThat(gauge(MeterNames.ALIAS_PENDING)).isEqualTo(1);
            assertThat(gauge(MeterNames.DEAD)).isEqualTo(2);
            assertThat(gauge(MeterNames.ALIAS_DEAD)).isEqualTo(2);
            assertThat(gauge(MeterNames.KEYS_BLOCKED)).isEqualTo(2);
            assertThat(gauge(MeterNames.INSTANCES)).isEqualTo(1);
            assertThat(gauge(MeterNames.SHARDS_OWNED)).isEqualTo(64);
            assertThat(gauge(MeterNames.SHARDS_UNOWNED)).isZero();
            assertThat(gauge(MeterNames.ALIVE)).isEqualTo(1);
            assertThat(gauge(MeterNames.TOPICS_CLOSED)).isEqualTo(1);
            assertThat(gauge(MeterNames.OLDEST_AGE)).isPositive();
            assertThat(registry.get(MeterNames.TOPIC_CLOSED)
                            .tag("topic", "default/away")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(enqueued("Fine")).isEqualTo(3);
            assertThat(enqueued("Refused")).isEqualTo(1);
            assertThat(shop.polls("partial")).isPositive();
            assertThat(shop.polls("full")).isZero();
            assertThat(registry.get(MeterNames.RETENTION_DELETED)
                            .tag("table", "message")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get(MeterNames.DELIVERY_DELAY).timer().count()).isEqualTo(2);
            assertThat(registry.get(MeterNames.PUBLISH)
                            .tags("outcome", "acked", "messaging.system", "test")
                            .timer()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void tagsAreFewAndHarmless() {
        try (Shop shop = new Shop(Kind.H2, registry)) {
            shop.everythingHappens();
        }

        Set<String> keys = registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(Tag::getKey)
                .collect(Collectors.toSet());
        // The last one is made by the registry for each bucket of a timer.
        assertThat(keys)
                .containsExactlyInAnyOrder(
                        "outbox",
                        "topic",
                        "type",
                        "outcome",
                        "result",
                        "messaging.system",
                        "loop",
                        "state",
                        "level",
                        "component",
                        "table",
                        "le");
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getTag("outbox")).isEqualTo("shop"));
    }

    @Test
    void topicsBeyondTheLimitShareOneTag() {
        PostriderMetrics metrics =
                PostriderMetrics.builder(registry).maxTopics(100).build();
        for (int i = 0; i < 10_000; i++) {
            metrics.settled(List.of(delivered(Shop.message("topic" + i, "Fine", "1"))));
        }

        assertThat(registry.get(MeterNames.SETTLED).counters()).hasSize(101);
        assertThat(registry.get(MeterNames.SETTLED)
                        .tag("topic", TagValues.OTHER)
                        .counter()
                        .count())
                .isEqualTo(9_900);
    }

    @Test
    void typesBeyondTheLimitShareOneTag() {
        PostriderMetrics metrics =
                PostriderMetrics.builder(registry).maxTypes(100).build();
        for (int i = 0; i < 10_000; i++) {
            metrics.enqueued(Shop.message("orders", "Type" + i, "1"));
        }
        metrics.enqueued(Shop.message("orders", "Type0", "1"));

        assertThat(registry.get(MeterNames.ENQUEUED).counters()).hasSize(101);
        assertThat(enqueued("Type0")).isEqualTo(2);
        assertThat(enqueued(TagValues.OTHER)).isEqualTo(9_900);
    }

    @Test
    void storedMessagesAreCountedByTypeAsTheCallerTells() {
        PostriderMetrics metrics =
                PostriderMetrics.builder(registry).maxTypes(1).build();

        metrics.stored("Placed", 2);
        metrics.stored("Placed", 3);
        metrics.stored("Cancelled", 1);

        assertThat(stored("Placed")).isEqualTo(5);
        assertThat(stored(TagValues.OTHER)).isEqualTo(1);
    }

    @Test
    void aPollIsEmptyIfNothingWasClaimedHoweverMuchWasSeen() {
        PostriderMetrics metrics = PostriderMetrics.builder(registry).build();

        metrics.polled(0, false, Duration.ofMillis(1));
        metrics.polled(0, true, Duration.ofMillis(2));
        metrics.polled(7, false, Duration.ofMillis(3));
        metrics.polled(7, true, Duration.ofMillis(4));

        assertThat(polls("empty").count()).isEqualTo(2);
        assertThat(polls("partial").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3);
        assertThat(polls("full").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(4);
    }

    @Test
    void everyTableOfTheRetentionHasACountOfItsOwn() {
        AtomicBoolean first = new AtomicBoolean(true);
        RetentionJob job = RetentionJob.builder((policy, limit) ->
                        first.getAndSet(false) ? new RetentionStep(1, 2, 3, 4, 5, true) : RetentionStep.nothing())
                .build();
        PostriderMetrics.builder(registry).build().watch(job);

        try (job) {
            job.start();
            Shop.await(() -> job.total().removed() > 0);

            Map<String, Double> removed = registry.get(MeterNames.RETENTION_DELETED).functionCounters().stream()
                    .collect(Collectors.toMap(
                            each -> String.valueOf(each.getId().getTag("table")), FunctionCounter::count));
            assertThat(removed)
                    .isEqualTo(Map.of("message", 1.0, "attempt", 2.0, "archive", 3.0, "audit", 4.0, "bulk", 5.0));
        }
    }

    @Test
    void theDelayIsTheAgeOfTheIdAndLeftOutWhereTheIdTellsNoTime() {
        PostriderMetrics metrics = PostriderMetrics.builder(registry).build();
        OutboxMessage timed = Shop.message("orders", "Fine", "1");
        OutboxMessage untimed = OutboxMessage.to("orders", "Fine")
                .payload("{}")
                .dedupeKey("once")
                .build();

        metrics.settled(List.of(delivered(timed), delivered(untimed)));

        assertThat(registry.get(MeterNames.DELIVERY_DELAY).timer().count()).isEqualTo(1);
        assertThat(registry.get(MeterNames.SETTLED).counter().count()).isEqualTo(2);
    }

    @Test
    void aScrapeAsksNobody() {
        AtomicInteger asked = new AtomicInteger();
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .stats(() -> {
                    asked.incrementAndGet();
                    return STATS;
                })
                .build();
        assertThat(gauge(MeterNames.PENDING)).isNaN();

        metrics.sample();
        for (int i = 0; i < 100; i++) {
            registry.getMeters().forEach(Meter::measure);
        }

        assertThat(asked).hasValue(1);
        assertThat(gauge(MeterNames.PENDING)).isEqualTo(7);
        assertThat(gauge(MeterNames.WAITING)).isEqualTo(6);
        assertThat(gauge(MeterNames.OLDEST_AGE)).isEqualTo(90);
    }

    @Test
    void aSampleThatFailsIsCountedAndShowsNothing() {
        AtomicReference<RuntimeException> trouble = new AtomicReference<>();
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .stats(() -> {
                    RuntimeException e = trouble.get();
                    if (e != null) {
                        throw e;
                    }
                    return STATS;
                })
                .build();
        metrics.sample();

        trouble.set(new IllegalStateException("no database"));
        metrics.sample();
        assertThat(gauge(MeterNames.DEAD)).isNaN();
        assertThat(counter(MeterNames.SAMPLE_FAILURES)).isEqualTo(1);
        trouble.set(null);
        metrics.sample();

        assertThat(gauge(MeterNames.DEAD)).isEqualTo(5);
    }

    @Test
    void samplesAreTakenByThemselvesUntilTheEnd() {
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .stats(() -> STATS)
                .sampleEvery(Duration.ofMillis(1))
                .build();

        metrics.start();
        Shop.await(() -> gauge(MeterNames.PENDING) == 7);
        metrics.close();

        assertThat(gauge(MeterNames.PENDING)).isNaN();
        assertThatThrownBy(metrics::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void restartsOfThreadsAreCountedByComponent() {
        AtomicLong ofTheInbox = new AtomicLong(1);
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .build()
                .watch(() -> new RelayHealth(true, true, RelayHealth.State.RUNNING, 64, 0, List.of(), null, null, 3))
                .watchRestarts("inbox", ofTheInbox::get);
        metrics.sample();
        ofTheInbox.set(2);

        Map<String, Double> restarts = registry.get(MeterNames.THREAD_RESTARTS).functionCounters().stream()
                .collect(Collectors.toMap(
                        each -> String.valueOf(each.getId().getTag("component")), FunctionCounter::count));

        assertThat(restarts).isEqualTo(Map.of("metrics", 0.0, "relay", 3.0, "inbox", 2.0));
        assertThatThrownBy(() -> metrics.watchRestarts("In box", () -> 0)).hasMessageContaining("'In box'");
    }

    @Test
    void sampleThatEndsByAnErrorIsCountedAndTheNextOneIsTaken() {
        AtomicInteger samples = new AtomicInteger();
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .stats(() -> {
                    if (samples.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("pretended");
                    }
                    return STATS;
                })
                .sampleEvery(Duration.ofMillis(1))
                .build();

        try (metrics) {
            metrics.start();

            Shop.await(() -> gauge(MeterNames.PENDING) == 7);
            assertThat(counter(MeterNames.SAMPLE_FAILURES)).isEqualTo(1);
        }
    }

    @Test
    void aTopicThatOpensAgainIsZero() {
        List<TopicName> closed = new CopyOnWriteArrayList<>(List.of(ORDERS));
        PostriderMetrics metrics = PostriderMetrics.builder(registry)
                .build()
                .watch(() -> new RelayHealth(true, true, RelayHealth.State.RUNNING, 64, 0, closed, null, null, 0));
        metrics.sample();
        assertThat(gauge(MeterNames.TOPIC_CLOSED)).isEqualTo(1);

        closed.clear();
        metrics.sample();

        assertThat(gauge(MeterNames.TOPIC_CLOSED)).isZero();
        assertThat(gauge(MeterNames.TOPICS_CLOSED)).isZero();
    }

    @Test
    void aliasesMayBeLeftOut() {
        PostriderMetrics.builder(registry).stats(() -> STATS).withoutAliases().build();

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .isNotEmpty()
                .allMatch(name -> name.startsWith("postrider."));
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        PostriderMetrics.Builder builder = PostriderMetrics.builder(registry);

        assertThatThrownBy(() -> builder.outbox("a b")).hasMessageContaining("'a b'");
        assertThatThrownBy(() -> builder.sampleEvery(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThatThrownBy(() -> builder.maxTopics(-1))
                .hasMessageContaining("maxTopics")
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> builder.maxTypes(-2))
                .hasMessageContaining("maxTypes")
                .hasMessageContaining("-2");
        PostriderMetrics metrics = builder.build();
        assertThatThrownBy(() -> metrics.timed("Kafka!", (wave, answers) -> {})).hasMessageContaining("'Kafka!'");
    }

    private double counter(String name) {
        return registry.get(name).counter().count();
    }

    private double enqueued(String type) {
        return registry.get(MeterNames.ENQUEUED).tag("type", type).counter().count();
    }

    private double stored(String type) {
        return registry.get(MeterNames.STORED).tag("type", type).counter().count();
    }

    private Timer polls(String result) {
        return registry.get(MeterNames.POLL).tag("result", result).timer();
    }

    private double function(String name) {
        return registry.get(name).functionCounter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private static Settlement delivered(OutboxMessage message) {
        return Settlement.delivered(new ClaimedMessage(1, 1, "relay", 0, 1, false, 0, false, null, message));
    }
}
