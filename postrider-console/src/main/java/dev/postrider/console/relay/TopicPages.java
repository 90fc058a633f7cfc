package dev.postrider.console.relay;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.TopicFigures;
import dev.postrider.admin.TopicStats;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.TopicProbe;
import dev.postrider.console.live.Sampler;
import dev.postrider.console.route.CappedCount;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.spi.TopicName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows topics, pauses and resumes them, and asks the broker whether one can be reached. */
public final class TopicPages {

    private static final RouteField NAMESPACE = RouteField.text("namespace", "The namespace of the topic.")
            .upTo(200)
            .mandatory();
    private static final RouteField TOPIC =
            RouteField.text("topic", "The topic.").upTo(200).mandatory();

    private final Function<ConsoleSource, Sampler> samplers;

    /** Topics by name. */
    record TopicPage(List<TopicView> items) {}

    /** Whether a topic was paused or resumed by this request. */
    record TopicChange(boolean changed) {}

    /** Whether a topic can be reached. */
    record Reached(boolean reachable, String detail) {}

    /** A topic. */
    record TopicView(
            String namespace,
            String topic,
            @Nullable CappedCount pending,
            @Nullable CappedCount waiting,
            @Nullable CappedCount dead,
            @Nullable Double outPerSecond,
            @Nullable Double failedPerSecond,
            String gate,
            @Nullable Instant closedSince,
            @Nullable String lastError,
            boolean paused,
            @Nullable String pausedBy,
            @Nullable Instant pausedSince,
            @Nullable String pausedReason) {}

    /** What is known of a topic, from several places. */
    private static final class Known {

        private @Nullable ClosedTopic closed;
        private @Nullable PausedTopic paused;
        private @Nullable CappedCount pending;
        private @Nullable CappedCount waiting;
        private @Nullable CappedCount dead;
        private Sampler.@Nullable TopicSpeed speed;

        void count(TopicFigures figures, TopicStats stats) {
            pending = new CappedCount(figures.pending(), stats.pendingAtLeast());
            waiting = new CappedCount(figures.waiting(), stats.waitingAtLeast());
            dead = new CappedCount(figures.dead(), stats.deadAtLeast());
        }

        TopicView view(TopicName name) {
            return new TopicView(
                    name.namespace(),
                    name.topic(),
                    pending,
                    waiting,
                    dead,
                    speed == null ? null : speed.outPerSecond(),
                    speed == null ? null : speed.failedPerSecond(),
                    closed == null ? "open" : "closed",
                    closed == null ? null : closed.since(),
                    closed == null ? null : closed.error(),
                    paused != null,
                    paused == null ? null : paused.decided().decision().by(),
                    paused == null ? null : paused.decided().at(),
                    paused == null ? null : paused.decided().decision().reason());
        }
    }

    /** Takes where the sampler of a source is found. */
    public TopicPages(Function<ConsoleSource, Sampler> samplers) {
        this.samplers = samplers;
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER, "/topics", TopicPage.class, "Lists topics with what is known of them."),
                this::list);
        table.add(
                RouteSpec.post(
                                ConsoleRole.OPERATOR,
                                "/topics/pause",
                                TopicChange.class,
                                "Lets no relay send to a topic until it is resumed.")
                        .body(NAMESPACE)
                        .body(TOPIC),
                exchange -> new TopicChange(
                        exchange.source().postrider().relays().pauseTopic(topic(exchange), exchange.decision())));
        table.add(
                RouteSpec.post(
                                ConsoleRole.OPERATOR,
                                "/topics/resume",
                                TopicChange.class,
                                "Lets relays send to a topic again.")
                        .body(NAMESPACE)
                        .body(TOPIC),
                exchange -> new TopicChange(
                        exchange.source().postrider().relays().resumeTopic(topic(exchange), exchange.decision())));
        table.add(
                RouteSpec.ask(
                                ConsoleRole.OPERATOR,
                                "/topics/probe",
                                Reached.class,
                                "Asks the broker whether a topic can be reached, without sending a message.")
                        .body(NAMESPACE)
                        .body(TOPIC),
                TopicPages::probe);
    }

    private Object list(Exchange exchange) {
        ConsoleSource source = exchange.source();
        Map<TopicName, Known> topics = new TreeMap<>();
        TopicStats stats = source.postrider().admin().topicStats();
        stats.topics().forEach(each -> known(topics, each.topic()).count(each, stats));
        source.postrider().admin().closedTopics().forEach(each -> known(topics, each.topic()).closed = each);
        source.postrider().relays().pausedTopics().forEach(each -> known(topics, each.topic()).paused = each);
        samplers.apply(source).topicSpeeds().forEach((topic, speed) -> known(topics, topic).speed = speed);
        return new TopicPage(topics.entrySet().stream()
                .map(each -> each.getValue().view(each.getKey()))
                .toList());
    }

    private static Known known(Map<TopicName, Known> topics, TopicName topic) {
        return topics.computeIfAbsent(topic, name -> new Known());
    }

    private static Object probe(Exchange exchange) {
        TopicProbe probe = exchange.source()
                .probe()
                .orElseThrow(() -> RouteProblem.conflict(
                        "This process has no publisher, so it cannot ask the broker",
                        "Ask the process of a relay: its console answers this."));
        return probe.problem(topic(exchange))
                .map(problem -> new Reached(false, problem))
                .orElseGet(() -> new Reached(true, "The broker takes messages of this topic."));
    }

    private static TopicName topic(Exchange exchange) {
        return new TopicName(exchange.required("namespace"), exchange.required("topic"));
    }
}
