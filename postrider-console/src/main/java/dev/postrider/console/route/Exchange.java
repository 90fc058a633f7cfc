package dev.postrider.console.route;

import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleSource;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request whose role, parameters and body are in order. Immutable. */
public final class Exchange {

    private static final int DEFAULT_LIMIT = 50;

    private final Caller caller;
    private final @Nullable ConsoleSource source;
    private final Map<String, String> variables;
    private final Map<String, Object> values;

    Exchange(Caller caller, @Nullable ConsoleSource source, Map<String, String> variables, Map<String, Object> values) {
        this.caller = caller;
        this.source = source;
        this.variables = variables;
        this.values = values;
    }

    /** Returns who asks. */
    public Caller caller() {
        return caller;
    }

    /** Returns the source that the path names. */
    public ConsoleSource source() {
        return Objects.requireNonNull(source, "The route belongs to no source");
    }

    /** Returns a variable of the path. */
    public String variable(String name) {
        return Objects.requireNonNull(variables.get(name), name);
    }

    /** Returns the variable {@code id} of the path. */
    public UUID id() {
        return uuid("id", variable("id"));
    }

    /** Returns a text. */
    public Optional<String> text(String name) {
        return value(name, String.class);
    }

    /** Returns a text that the route requires. */
    public String required(String name) {
        return text(name).orElseThrow(() -> RouteProblem.badRequest(name + " is missing"));
    }

    /** Returns a whole number. */
    public Optional<Integer> integer(String name) {
        return value(name, Long.class).map(Math::toIntExact);
    }

    /** Returns a whole number of any size. */
    public Optional<Long> number(String name) {
        return value(name, Long.class);
    }

    /** Returns true or false. */
    public Optional<Boolean> bool(String name) {
        return value(name, Boolean.class);
    }

    /** Returns the bytes of a payload. */
    public Optional<byte[]> payload(String name) {
        return value(name, byte[].class);
    }

    /** Returns a list of texts; empty if there is none. */
    @SuppressWarnings("unchecked") // RequestInputs read it as texts
    public List<String> texts(String name) {
        return value(name, List.class).map(list -> (List<String>) list).orElse(List.of());
    }

    /** Returns texts by name. */
    @SuppressWarnings("unchecked") // RequestInputs read it as texts
    public Optional<Map<String, String>> textMap(String name) {
        return value(name, Map.class).map(map -> (Map<String, String>) map);
    }

    /** Returns a list of ids. */
    public List<UUID> uuids(String name) {
        return texts(name).stream().map(each -> uuid(name, each)).toList();
    }

    /** Returns an id. */
    public Optional<UUID> uuid(String name) {
        return text(name).map(each -> uuid(name, each));
    }

    /** Returns a time. */
    public Optional<Instant> time(String name) {
        return text(name).map(each -> time(name, each));
    }

    /** Returns who decides, and why. */
    public Decision decision() {
        return new Decision(caller.name(), required("reason"));
    }

    /** Returns the limit of the page. */
    public int limit() {
        return integer("limit").orElse(DEFAULT_LIMIT);
    }

    /** Returns the part of the list that is wanted. */
    public Page page() {
        boolean oldest = text("order").filter("oldest"::equals).isPresent();
        Page page = oldest ? Page.oldest(limit()) : Page.newest(limit());
        return text("cursor").map(page::after).orElse(page);
    }

    private <T> Optional<T> value(String name, Class<T> type) {
        return Optional.ofNullable(values.get(name)).map(type::cast);
    }

    // UUID.fromString takes shorter groups, too.
    private static UUID uuid(String name, String text) {
        try {
            UUID id = UUID.fromString(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            throw RouteProblem.badRequest(
                    "%s must be ids, but '%s' is none".formatted(name, RequestInputs.shown(text)));
        }
        throw RouteProblem.badRequest("%s must be ids, but '%s' is none".formatted(name, RequestInputs.shown(text)));
    }

    private static Instant time(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw RouteProblem.badRequest("%s must be a time such as 2026-11-01T12:00:00Z but was '%s'"
                    .formatted(name, RequestInputs.shown(text)));
        }
    }
}
