package dev.postrider.console.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.doctor.Doctor;
import dev.postrider.console.doctor.Finding;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Examines what the promises of a source rest on. */
public final class DoctorRoutes {

    /** What was found, the worst first. */
    record Findings(List<FindingView> findings) {}

    /** A finding. */
    record FindingView(
            String check,
            String level,
            String found,
            String means,
            @JsonProperty("do") @Nullable String action) {

        static FindingView of(Finding finding) {
            return new FindingView(
                    finding.check(), finding.level().word(), finding.found(), finding.means(), finding.action());
        }
    }

    private DoctorRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/doctor",
                        Findings.class,
                        "Examines database, tables, relays and broker; each finding says what it means and what to do."),
                DoctorRoutes::examine);
    }

    private static Object examine(Exchange exchange) {
        return new Findings(new Doctor(exchange.source())
                .examine().stream().map(FindingView::of).toList());
    }
}
