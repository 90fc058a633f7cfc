package dev.postrider.console.doctor;

import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.ShardOwner;
import dev.postrider.spi.RelayReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether relays are alive, own all shards, and have one version. */
final class RelaysCheck implements DoctorCheck {

    private static final String CHECK = "relays";
    private static final int MOST_RELAYS = 200;

    private final RelayAdmin relays;

    RelaysCheck(RelayAdmin relays) {
        this.relays = relays;
    }

    @Override
    public String name() {
        return CHECK;
    }

    @Override
    public List<Finding> run() {
        List<KnownRelay> living =
                relays.relays(MOST_RELAYS).stream().filter(KnownRelay::alive).toList();
        return findings(living, relays.shards());
    }

    static List<Finding> findings(List<KnownRelay> living, List<ShardOwner> shards) {
        if (living.isEmpty()) {
            return List.of(Finding.bad(
                    CHECK,
                    "No relay is alive",
                    "Messages are enqueued and kept, but nothing is delivered.",
                    "Start a relay; see docs/runbooks/no-relay.md."));
        }
        List<Finding> findings = new ArrayList<>();
        long unowned = shards.stream().filter(shard -> shard.owner() == null).count();
        findings.add(
                unowned == 0
                        ? Finding.ok(CHECK, "%d relays own all shards".formatted(living.size()), "Every key is served.")
                        : Finding.warn(
                                CHECK,
                                "%d shards have no living owner".formatted(unowned),
                                "The messages of their keys wait; a relay takes them over within its ownership time.",
                                "If that lasts for minutes, see docs/runbooks/shard-unowned.md."));
        findings.add(versions(living));
        return findings;
    }

    private static Finding versions(List<KnownRelay> living) {
        Set<String> versions = living.stream()
                .map(KnownRelay::report)
                .map(report -> report == null ? "an older version" : version(report))
                .collect(Collectors.toCollection(TreeSet::new));
        String found = "Relays run " + String.join(" and ", versions);
        return versions.size() <= 1
                ? Finding.ok("relay versions", found, "All relays behave alike.")
                : Finding.warn(
                        "relay versions",
                        found,
                        "That is meant for the time of an upgrade; what only the newer version can do is refused.",
                        "Finish the upgrade.");
    }

    private static String version(RelayReport report) {
        return Objects.requireNonNullElse(report.version(), "an unnamed version");
    }
}
