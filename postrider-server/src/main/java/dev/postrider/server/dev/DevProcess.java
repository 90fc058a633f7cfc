package dev.postrider.server.dev;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.SourceSetting;
import dev.postrider.console.live.RelayFigures;
import dev.postrider.relay.Relay;
import dev.postrider.server.source.StartException;
import dev.postrider.spi.ErrorText;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A running {@code dev}: the stand, the API over it and the web server before that. Thread-safe. */
final class DevProcess implements AutoCloseable {

    private static final String SOURCE = "main";

    private final DevSettings settings;
    private final DevStand stand;
    private final ConsoleApi api;
    private final DevServer server;

    private DevProcess(DevSettings settings, DevStand stand, ConsoleApi api, DevServer server) {
        this.settings = settings;
        this.stand = stand;
        this.api = api;
        this.server = server;
    }

    /**
     * Starts everything.
     *
     * @param port of the web server; 0 for any free one
     * @throws StartException saying why it cannot start; nothing is left running
     */
    static DevProcess start(DevSettings settings, int port) {
        DevLink link = DevLinks.of(settings.broker());
        DevDatabase database = settings.url() == null
                ? DevDatabase.embedded()
                : DevDatabase.of(settings.url(), settings.user(), settings.password());
        DevStand stand;
        RelayFigures figures = new RelayFigures();
        try {
            stand = new DevStand(settings, database, link, List.of(figures));
        } catch (RuntimeException e) {
            link.close();
            database.close();
            throw explained(e);
        }
        ConsoleApi api = ConsoleApi.of(List.of(source(settings, stand, figures)));
        try {
            return new DevProcess(settings, stand.start(), api, DevServer.start(api.start(), port));
        } catch (RuntimeException e) {
            api.close();
            DevReport unused = stand.stop();
            stand.close();
            throw e;
        }
    }

    private static StartException explained(RuntimeException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException) {
                return new StartException(
                        StartException.CANNOT_CONNECT,
                        "The database of --database cannot be used: " + ErrorText.of(each),
                        failure);
            }
        }
        return new StartException(StartException.FAILED, ErrorText.of(failure), failure);
    }

    private static ConsoleSource source(DevSettings settings, DevStand stand, RelayFigures figures) {
        return ConsoleSource.builder(SOURCE, stand.console(), stand.consolePool())
                .figures(figures)
                .relays(stand::running)
                .settings(() -> settings(settings, stand))
                .probe(topic -> stand.link().broken() ? Optional.of("The broker is broken") : Optional.empty())
                .devTools(new DevControl(stand))
                .build();
    }

    private static List<SourceSetting> settings(DevSettings settings, DevStand stand) {
        return List.of(
                setting("--database", settings.url() == null ? "H2 in a temporary folder" : "given", settings.url()),
                setting("--broker", stand.link().description(), settings.broker()),
                setting("--no-demo", Boolean.toString(!settings.demo()), settings.demo() ? null : "given"),
                setting("--rate", Integer.toString(settings.perSecond()), null));
    }

    private static SourceSetting setting(String name, String value, @Nullable String given) {
        return new SourceSetting(name, value, given == null ? "default" : "command line", false);
    }

    /** Returns what a person should know at the beginning. */
    List<String> greeting() {
        String address = server.address();
        List<String> lines = new ArrayList<>();
        lines.add("Postrider dev is running. Ctrl-C stops it.");
        lines.add("");
        lines.add("  Console   " + address);
        lines.add("  Database  " + (settings.url() == null ? "H2 in a temporary folder, gone at the end" : "yours"));
        lines.add("  Broker    " + stand.link().description());
        lines.add("  Relays    " + stand.running().stream().map(Relay::name).collect(Collectors.joining(", ")));
        lines.add("  Shop      "
                + (settings.demo()
                        ? "orders, payments, invoices and shipments, about %d messages a second"
                                .formatted(settings.perSecond())
                        : "closed"));
        lines.add("");
        lines.add("Try next:");
        lines.add("  Open %s and break the broker under Dev tools.".formatted(address));
        lines.add("  ./postrider dead groups --api " + address);
        lines.add("  ./postrider top --api " + address);
        return lines;
    }

    /** Returns the address of the pages. */
    String address() {
        return server.address();
    }

    /** Stops the shop, delivers what is due and returns what was done. */
    DevReport stop() {
        return stand.stop();
    }

    /** Closes everything; to be called after {@link #stop}. */
    @Override
    public void close() {
        server.close();
        api.close();
        stand.close();
    }
}
