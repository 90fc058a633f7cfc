package dev.postrider.publish;

import dev.postrider.spi.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** What belongs to which topic; the first pattern that matches wins. Thread-safe. */
final class TopicRoutes<T> {

    // Topics come from rows, so the number that is remembered is bounded.
    private static final int MOST_REMEMBERED = 1_000;

    private final List<Route<T>> routes;
    private final Map<TopicName, Optional<T>> remembered = new ConcurrentHashMap<>();

    private record Route<T>(TopicPattern pattern, T target) {}

    private TopicRoutes(List<Route<T>> routes) {
        this.routes = List.copyOf(routes);
    }

    Optional<T> find(TopicName topic) {
        Optional<T> known = remembered.get(topic);
        return known != null ? known : look(topic);
    }

    List<T> targets() {
        return routes.stream().map(Route::target).toList();
    }

    int remembered() {
        return remembered.size();
    }

    private Optional<T> look(TopicName topic) {
        Optional<T> found = routes.stream()
                .filter(route -> route.pattern().matches(topic))
                .map(Route::target)
                .findFirst();
        // Forgetting all of them lets the topics that are in use come back, which refusing new ones would not.
        if (remembered.size() >= MOST_REMEMBERED) {
            remembered.clear();
        }
        remembered.put(topic, found);
        return found;
    }

    /** Collects routes in order. */
    static final class Builder<T> {

        private final List<Route<T>> routes = new ArrayList<>();

        /**
         * Adds a route.
         *
         * @throws IllegalArgumentException if an earlier one leaves nothing for it
         */
        Builder<T> add(TopicPattern pattern, T target) {
            for (Route<T> earlier : routes) {
                if (earlier.pattern().covers(pattern)) {
                    throw new IllegalArgumentException(
                            "'%s' is never reached: '%s' comes before it and the first match wins"
                                    .formatted(pattern, earlier.pattern()));
                }
            }
            routes.add(new Route<>(pattern, target));
            return this;
        }

        boolean isEmpty() {
            return routes.isEmpty();
        }

        <R> TopicRoutes<R> build(BiFunction<TopicPattern, T, R> target) {
            return new TopicRoutes<>(routes.stream()
                    .map(route -> new Route<>(route.pattern(), target.apply(route.pattern(), route.target())))
                    .toList());
        }
    }
}
