package dev.postrider.console.doctor;

import dev.postrider.relay.Relay;
import java.util.List;
import java.util.function.Supplier;

/** What the publishers of this process have found out about their brokers: replicas, full queues, limits. */
final class PublisherCheck implements DoctorCheck {

    private static final String CHECK = "broker";

    private final Supplier<List<Relay>> relays;

    PublisherCheck(Supplier<List<Relay>> relays) {
        this.relays = relays;
    }

    @Override
    public String name() {
        return CHECK;
    }

    @Override
    public List<Finding> run() {
        List<Relay> here = relays.get();
        return here.isEmpty()
                ? List.of(
                        Finding.skipped(CHECK, "No relay runs in this process; ask the doctor of one that has a relay"))
                : findings(here.stream()
                        .flatMap(relay -> relay.warnings().stream())
                        .distinct()
                        .toList());
    }

    static List<Finding> findings(List<String> warnings) {
        if (warnings.isEmpty()) {
            return List.of(Finding.ok(
                    CHECK,
                    "Publishers have found nothing wrong with the topics and queues they have sent to",
                    "What a broker has acked is kept as it promises."));
        }
        return warnings.stream()
                .map(warning -> Finding.warn(
                        CHECK,
                        warning,
                        "A message that was acked may be lost by the broker, or be refused by a full queue.",
                        "Change the topic or queue as said; docs/publishers has a page for each broker."))
                .toList();
    }
}
