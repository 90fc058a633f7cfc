package dev.postrider.console.system;

import dev.postrider.all.Postrider;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.SourceSetting;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.database.SchemaState;
import dev.postrider.database.TableSize;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows the settings in effect, without secrets, and the tables. */
public final class SettingsRoutes {

    private static final int MOST_SETTINGS = 1_000;

    private final String version;

    /** Settings and tables. */
    record SettingsView(
            List<SourceSetting> settings, List<SchemaPart> schema, List<TableSize> tables, String version) {}

    /** Which version some tables have; null if there are none. */
    record SchemaPart(String part, @Nullable Integer version, int expected) {}

    /** Takes the version of this process. */
    public SettingsRoutes(String version) {
        this.version = version;
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/settings",
                        SettingsView.class,
                        "Shows the settings in effect with their origin, and the versions and sizes of the tables."),
                this::settings);
    }

    private Object settings(Exchange exchange) {
        Postrider postrider = exchange.source().postrider();
        Map<String, SchemaState> parts = new LinkedHashMap<>();
        parts.put("outbox", postrider.outboxSchema().state());
        parts.put("inbox", postrider.inboxSchema().state());
        parts.put("saga", postrider.sagaSchema().state());
        return new SettingsView(
                exchange.source().settings().stream()
                        .map(SecretMask::masked)
                        .sorted(Comparator.comparing(SourceSetting::name))
                        .limit(MOST_SETTINGS)
                        .toList(),
                parts.entrySet().stream()
                        .map(each -> new SchemaPart(
                                each.getKey(),
                                each.getValue().version(),
                                each.getValue().expected()))
                        .toList(),
                parts.values().stream()
                        .flatMap(state -> state.tables().stream())
                        .toList(),
                version);
    }
}
