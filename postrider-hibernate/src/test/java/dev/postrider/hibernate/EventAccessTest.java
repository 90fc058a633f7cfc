package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EventAccessTest {

    static class ByField {

        @RecordedEvents
        @Nullable List<Object> events = new ArrayList<>();
    }

    static class Inherited extends ByField {}

    static class ByMethod {

        final List<Object> events = new ArrayList<>();

        @RecordedEvents
        protected Collection<Object> events() {
            return events;
        }
    }

    static class Overriding extends ByMethod {

        @Override
        @RecordedEvents
        protected Collection<Object> events() {
            return super.events();
        }
    }

    static class Twice extends ByField {

        @RecordedEvents
        final List<Object> more = new ArrayList<>();
    }

    static class BaseAndField extends AggregateRoot {

        @RecordedEvents
        final List<Object> more = new ArrayList<>();
    }

    static class NoCollection {

        @RecordedEvents
        final String events = "";
    }

    static class WithParameter {

        @RecordedEvents
        List<Object> events(int page) {
            return new ArrayList<>(page);
        }
    }

    static class Fixed {

        @RecordedEvents
        final List<Object> events = List.of("a");
    }

    static class Copy {

        final List<Object> events = new ArrayList<>(Set.of("a"));

        @RecordedEvents
        List<Object> events() {
            return new ArrayList<>(events);
        }
    }

    static class None {}

    static Stream<Arguments> unusable() {
        return Stream.of(
                Arguments.of(Twice.class, "2 places"),
                Arguments.of(BaseAndField.class, "2 places"),
                Arguments.of(NoCollection.class, "java.util.Collection"),
                Arguments.of(WithParameter.class, "parameters"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void placeThatCannotBeUsedIsRefused(Class<?> type, String reason) {
        assertThatThrownBy(() -> EventAccess.of(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void classWithoutEventsHasNoAccess() {
        assertThat(EventAccess.of(None.class)).isEmpty();
    }

    @Test
    void fieldOfASuperclassIsFound() {
        Inherited aggregate = new Inherited();
        access(Inherited.class).putBack(aggregate, List.of("a"));

        assertThat(access(Inherited.class).take(aggregate)).containsExactly("a");
        assertThat(access(Inherited.class).hasEvents(aggregate)).isFalse();
    }

    @Test
    void overriddenMethodCountsOnce() {
        Overriding aggregate = new Overriding();
        aggregate.events.add("a");

        assertThat(access(Overriding.class).take(aggregate)).containsExactly("a");
    }

    @Test
    void eventsReturnBeforeThoseThatWereRecordedSince() {
        ByMethod aggregate = new ByMethod();
        aggregate.events.addAll(List.of("a", "b"));
        List<Object> taken = access(ByMethod.class).take(aggregate);
        aggregate.events.add("c");

        access(ByMethod.class).putBack(aggregate, taken);

        assertThat(aggregate.events).containsExactly("a", "b", "c");
    }

    @Test
    void missingCollectionHasNoEvents() {
        ByField aggregate = new ByField();
        aggregate.events = null;

        assertThat(access(ByField.class).hasEvents(aggregate)).isFalse();
        assertThat(access(ByField.class).take(aggregate)).isEmpty();
    }

    @Test
    void collectionThatCannotBeClearedIsRefused() {
        assertThatThrownBy(() -> access(Fixed.class).take(new Fixed()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mutable");
    }

    @Test
    void methodThatReturnsACopyIsRefused() {
        Copy aggregate = new Copy();

        assertThatThrownBy(() -> access(Copy.class).take(aggregate))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("copy");
        assertThat(aggregate.events).containsExactly("a");
    }

    private static EventAccess access(Class<?> type) {
        return EventAccess.of(type).orElseThrow();
    }
}
