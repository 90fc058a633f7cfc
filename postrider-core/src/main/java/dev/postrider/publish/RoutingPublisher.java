package dev.postrider.publish;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.TopicName;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each message with the publisher of its topic. It owns the publishers: closing it closes them. An error of one
 * publisher affects its own messages only. Thread-safe.
 */
public final class RoutingPublisher implements MessagePublisher {

    private static final Logger log = LoggerFactory.getLogger(RoutingPublisher.class);

    private final TopicRoutes<Target> routes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RoutingPublisher(TopicRoutes<Target> routes) {
        this.routes = routes;
    }

    /** Starts configuring; at least one route is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        if (closed.get()) {
            answerAll(wave, PublishResult.unavailable("The publisher is closed"), answers);
            return;
        }
        Map<Target, List<ClaimedMessage>> parts = new LinkedHashMap<>();
        for (ClaimedMessage claimed : wave) {
            TopicName topic = TopicName.of(claimed.message());
            Optional<Target> target = routes.find(topic);
            if (target.isPresent()) {
                parts.computeIfAbsent(target.get(), t -> new ArrayList<>()).add(claimed);
            } else {
                answers.answer(claimed, noRoute(topic));
            }
        }
        parts.forEach((target, part) -> target.publish(part, answers));
    }

    private static PublishResult noRoute(TopicName topic) {
        return PublishResult.unavailable(ErrorText.clean(
                "No publisher for topic %s: add a route for it, or otherwise(publisher), to the RoutingPublisher"
                        .formatted(topic)));
    }

    private static void answerAll(List<ClaimedMessage> part, PublishResult result, PublishAnswers answers) {
        part.forEach(claimed -> answers.answer(claimed, result));
    }

    @Override
    public List<String> warnings() {
        return routes.targets().stream()
                .distinct()
                .flatMap(target -> target.publisher.warnings().stream())
                .toList();
    }

    @Override
    public long restarts() {
        return routes.targets().stream()
                .distinct()
                .mapToLong(target -> target.publisher.restarts())
                .sum();
    }

    /** Closes every publisher once, and throws the first exception when all have been closed. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        RuntimeException failure = null;
        for (Target target : routes.targets().stream().distinct().toList()) {
            try {
                target.publisher.close();
            } catch (RuntimeException e) {
                failure = joined(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException joined(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }

    /** A publisher, however many routes lead to it. */
    private static final class Target {

        private final MessagePublisher publisher;
        private final AtomicBoolean broken = new AtomicBoolean();

        private Target(MessagePublisher publisher) {
            this.publisher = publisher;
        }

        // As the relay does for a publisher without a routing in front of it, so that the other parts are not affected.
        private void publish(List<ClaimedMessage> part, PublishAnswers answers) {
            try {
                publisher.publish(part, answers);
                broken.set(false);
            } catch (Throwable e) {
                // A publisher may throw again and again; the log needs to know once.
                if (!broken.getAndSet(true)) {
                    log.warn(
                            "{} threw; its messages are sent one by one",
                            publisher.getClass().getName(),
                            e);
                }
                if (part.size() == 1) {
                    answerAll(part, PublishResult.failed(ErrorText.of(e)), answers);
                } else {
                    part.forEach(claimed -> publish(List.of(claimed), answers));
                }
            }
        }
    }

    /** Configures a {@link RoutingPublisher}. */
    public static final class Builder {

        private final TopicRoutes.Builder<Target> routes = new TopicRoutes.Builder<>();
        private final IdentityHashMap<MessagePublisher, Target> targets = new IdentityHashMap<>();
        private @Nullable MessagePublisher otherwise;

        private Builder() {}

        /**
         * Sends what matches to this publisher, unless an earlier route matches. Several routes may lead to one
         * publisher.
         *
         * @throws IllegalArgumentException if an earlier route leaves nothing for this one
         */
        public Builder route(TopicPattern pattern, MessagePublisher publisher) {
            routes.add(Objects.requireNonNull(pattern, "pattern"), target(publisher));
            return this;
        }

        /**
         * Sends what matches to this publisher, as {@link #route(TopicPattern, MessagePublisher)} does.
         *
         * @param pattern {@code topic} or {@code namespace/topic}, as in {@link TopicPattern#of(String)}
         */
        public Builder route(String pattern, MessagePublisher publisher) {
            return route(TopicPattern.of(pattern), publisher);
        }

        /** Sends what matches no route to this publisher. Default none: such a topic is unavailable. */
        public Builder otherwise(MessagePublisher publisher) {
            this.otherwise = Objects.requireNonNull(publisher, "publisher");
            return this;
        }

        /**
         * Builds the publisher.
         *
         * @throws IllegalArgumentException if there is no route at all, or one that is never reached
         */
        public RoutingPublisher build() {
            if (otherwise != null) {
                route(TopicPattern.of("*", "*"), otherwise);
                otherwise = null;
            }
            if (routes.isEmpty()) {
                throw new IllegalArgumentException("A RoutingPublisher needs at least one route");
            }
            return new RoutingPublisher(routes.build((pattern, target) -> target));
        }

        private Target target(MessagePublisher publisher) {
            return targets.computeIfAbsent(Objects.requireNonNull(publisher, "publisher"), Target::new);
        }
    }
}
