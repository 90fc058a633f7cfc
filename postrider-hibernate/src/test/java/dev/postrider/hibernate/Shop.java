package dev.postrider.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.jspecify.annotations.Nullable;

/** Entities that record events in each of the possible ways; an event is the name of its message type. */
final class Shop {

    static final List<Class<?>> ENTITIES = List.of(Order.class, Line.class, Customer.class, Parcel.class);

    private Shop() {}

    /** By the base class. */
    @Entity(name = "Order")
    @Table(name = "shop_order")
    @Cacheable
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Order extends AggregateRoot {

        @Id
        long id;

        @Version
        @Nullable Long version;

        String state = "new";

        @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
        List<Line> lines = new ArrayList<>();

        Order() {}

        Order(long id) {
            this.id = id;
        }

        Order with(Object event) {
            recordEvent(event);
            return this;
        }

        Order move(String next) {
            state = next;
            return with(next);
        }

        Order add(Line line) {
            lines.add(line);
            return this;
        }
    }

    /** By the interface. */
    @Entity(name = "Line")
    @Table(name = "shop_line")
    static class Line implements EventRecorder {

        @Id
        long id;

        @Version
        @Nullable Long version;

        @Transient
        private final List<Object> events = new ArrayList<>();

        Line() {}

        Line(long id) {
            this.id = id;
        }

        Line with(Object event) {
            events.add(event);
            return this;
        }

        @Override
        public Collection<Object> recordedEvents() {
            return events;
        }
    }

    /** By an annotated field, with an identifier that the database generates. */
    @Entity(name = "Customer")
    @Table(name = "shop_customer")
    static class Customer {

        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable Long id;

        @Version
        @Nullable Long version;

        String name = "";

        @RecordedEvents
        @Transient
        private final Set<Object> events = new LinkedHashSet<>();

        Customer with(Object event) {
            events.add(event);
            return this;
        }
    }

    /** By an annotated method, with events that its callbacks record. */
    @Entity(name = "Parcel")
    @Table(name = "shop_parcel")
    static class Parcel {

        @Id
        long id;

        String place = "";

        @Transient
        private final List<Object> events = new ArrayList<>();

        Parcel() {}

        Parcel(long id) {
            this.id = id;
        }

        @RecordedEvents
        List<Object> events() {
            return events;
        }

        @PostPersist
        void posted() {
            events.add("posted");
        }

        @PreUpdate
        void moving() {
            events.add("moving");
        }

        @PostRemove
        void gone() {
            events.add("gone");
        }
    }
}
