package dev.postrider.console.filter;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A word before the colon of a filter, in the order in which filters are written. */
public enum Qualifier {
    /** Where a message stands. */
    STATUS("pending, claimed, delivered, dead or retrying"),
    /** The namespace. */
    NS("the namespace of the topic"),
    /** The topic. */
    TOPIC("the topic; shop/orders is the topic orders of the namespace shop"),
    /** The type. */
    TYPE("the type of the message"),
    /** The key. */
    KEY("the key of the message"),
    /** The tenant. */
    TENANT("the tenant of the message"),
    /** The failure that last errors have in common. */
    FAILURE("the failure of a dead group"),
    /** A part of the last error. */
    ERROR("a part of the last error, in any case"),
    /** How often it was tried. */
    ATTEMPTS("tried at least so often, such as >=3"),
    /** The age since the enqueue. */
    AGE("older or younger than, such as >5m or <1h"),
    /** When it was enqueued. */
    CREATED("a day, a range such as 2026-11-01..2026-11-02, or a bound such as >=2026-11-01T12:00:00Z"),
    /** When it was given up. */
    DIED("dead for longer or shorter than, such as >1d, or times as for created"),
    /** The id. */
    ID("the id of the message");

    private final String help;

    Qualifier(String help) {
        this.help = help;
    }

    /** Returns the word. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns which values it takes. */
    public String help() {
        return help;
    }

    static Optional<Qualifier> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Qualifier::word).toList();
    }
}
