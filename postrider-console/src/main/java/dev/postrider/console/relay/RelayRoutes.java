package dev.postrider.console.relay;

import dev.postrider.admin.Decided;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.ShardOwner;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteHandler;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.relay.Relay;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the relays of all processes, and tells them to pause, resume or drain. */
public final class RelayRoutes {

    private static final int MOST_RELAYS = 200;
    private static final Map<String, RelayMode> MODES =
            Map.of("pause", RelayMode.PAUSE, "resume", RelayMode.RUN, "drain", RelayMode.DRAIN);

    /** Relays and shards. */
    record RelayPage(List<RelayView> items, List<ShardView> shards) {}

    /** A shard and the living relay that owns it. */
    record ShardView(int shard, @Nullable String owner, long epoch) {}

    /**
     * Whether an action changed what is wanted.
     *
     * @param changed of how many relays another mode is wanted now
     */
    record RelayChange(int changed) {}

    /** A relay. */
    record RelayView(
            String id,
            @Nullable String host,
            @Nullable String version,
            Instant joined,
            Instant until,
            boolean alive,
            RelayReport.@Nullable State state,
            @Nullable Integer inFlight,
            List<Integer> shards,
            @Nullable Long delivered,
            @Nullable Long failed,
            @Nullable String lastError,
            RelayMode wanted,
            @Nullable String wantedBy,
            @Nullable Instant wantedSince,
            @Nullable String wantedReason,
            boolean here) {

        static RelayView of(KnownRelay relay, Set<String> here) {
            RelayReport report = relay.report();
            Decided decided = relay.decided();
            return new RelayView(
                    relay.id(),
                    report == null ? null : report.host(),
                    report == null ? null : report.version(),
                    relay.joined(),
                    relay.until(),
                    relay.alive(),
                    report == null ? null : report.state(),
                    report == null ? null : (Integer) report.inFlight(),
                    relay.shards(),
                    report == null ? null : (Long) report.delivered(),
                    report == null ? null : (Long) report.failed(),
                    report == null ? null : report.lastError(),
                    relay.mode(),
                    decided == null ? null : decided.decision().by(),
                    decided == null ? null : decided.at(),
                    decided == null ? null : decided.decision().reason(),
                    here.contains(relay.id()));
        }
    }

    private RelayRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER, "/relays", RelayPage.class, "Lists relays of all processes, and shards."),
                RelayRoutes::list);
        for (String verb : List.of("pause", "resume", "drain")) {
            String one = verb.substring(0, 1).toUpperCase(Locale.ROOT) + verb.substring(1) + "s one relay.";
            String all = verb.substring(0, 1).toUpperCase(Locale.ROOT) + verb.substring(1) + "s all relays.";
            table.add(RouteSpec.post(ConsoleRole.OPERATOR, "/relays/{id}/" + verb, RelayChange.class, one), one(verb));
            table.add(RouteSpec.post(ConsoleRole.OPERATOR, "/relays/" + verb, RelayChange.class, all), all(verb));
        }
    }

    private static RelayMode mode(String verb) {
        return Objects.requireNonNull(MODES.get(verb), verb);
    }

    private static Object list(Exchange exchange) {
        ConsoleSource source = exchange.source();
        RelayAdmin admin = source.relayAdmin();
        Set<String> here = source.relays().stream().map(Relay::name).collect(Collectors.toSet());
        return new RelayPage(
                admin.relays(MOST_RELAYS).stream()
                        .map(each -> RelayView.of(each, here))
                        .toList(),
                admin.shards().stream().map(RelayRoutes::shard).toList());
    }

    private static ShardView shard(ShardOwner owner) {
        return new ShardView(owner.shard(), owner.owner(), owner.epoch());
    }

    private static RouteHandler one(String verb) {
        return exchange -> {
            RelayAdmin admin = exchange.source().relayAdmin();
            String id = exchange.variable("id");
            boolean living = admin.relays(MOST_RELAYS).stream()
                    .anyMatch(each -> each.alive() && each.id().equals(id));
            if (!living) {
                throw RouteProblem.notFound(
                        "No relay with this name is alive", "GET relays lists the relays that are alive.");
            }
            return new RelayChange(admin.setMode(id, mode(verb), exchange.decision()) ? 1 : 0);
        };
    }

    private static RouteHandler all(String verb) {
        return exchange ->
                new RelayChange(exchange.source().relayAdmin().setModeOfAll(mode(verb), exchange.decision()));
    }
}
