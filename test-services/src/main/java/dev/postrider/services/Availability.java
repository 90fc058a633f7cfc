package dev.postrider.services;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether a service can be started on this machine and, if not, why and what to do about it. */
public record Availability(boolean available, String reason) {

    /** A system property that lists the only services a run starts, for example {@code POSTGRES_18,H2}. */
    private static final String WANTED = "postrider.test.services";

    /**
     * Decides about one service. With {@code CI=true} the obstacles of the machine do not count: there a missing
     * service has to fail the test.
     */
    static Availability of(String service, Supplier<Optional<String>> obstacle) {
        String wanted = System.getProperty(WANTED, "");
        if (!wanted.isEmpty() && !List.of(wanted.split(",")).contains(service)) {
            return new Availability(false, "This run starts only %s (-D%s)".formatted(wanted, WANTED));
        }
        if ("true".equals(System.getenv("CI"))) {
            return new Availability(true, "");
        }
        Optional<String> reason = obstacle.get();
        return new Availability(reason.isEmpty(), reason.orElse(""));
    }
}
