package dev.postrider.console;

import dev.postrider.admin.BulkActions;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.all.Postrider;
import dev.postrider.console.doctor.DoctorCheck;
import dev.postrider.console.live.RelayFigures;
import dev.postrider.inbox.InboxAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.saga.SagaAdmin;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database with outbox, inbox and saga tables, as the console sees it. The console opens connections of the handle
 * and of the data source only, so a small pool of its own keeps the console from using up the application's. Immutable.
 */
public final class ConsoleSource {

    private final String name;
    private final Postrider postrider;
    private final DataSource dataSource;
    private final RelayAdmin relayAdmin;
    private final BulkActions bulkActions;
    private final InboxAdmin inboxAdmin;
    private final SagaAdmin sagaAdmin;
    private final RelayFigures figures;
    private final Supplier<List<Relay>> relays;
    private final Supplier<List<SourceSetting>> settings;
    private final List<DoctorCheck> checks;
    private final @Nullable TopicProbe probe;
    private final @Nullable DevTools devTools;

    private ConsoleSource(Builder builder) {
        this.name = builder.name;
        this.postrider = builder.postrider;
        this.dataSource = builder.dataSource;
        // Kept, because each of them asks the database once which one it is.
        this.relayAdmin = postrider.relays();
        this.bulkActions = postrider.bulkActions();
        this.inboxAdmin = postrider.inboxAdmin();
        this.sagaAdmin = postrider.sagaAdmin();
        this.figures = builder.figures;
        this.relays = builder.relays;
        this.settings = builder.settings;
        this.checks = List.copyOf(builder.checks);
        this.probe = builder.probe;
        this.devTools = builder.devTools;
    }

    /**
     * Starts describing a source.
     *
     * @param name by which requests name it; letters, digits, dots, dashes and underscores
     * @param postrider a handle on the console's own pool, with the keys and table names of the source
     * @param dataSource the same pool, for what the doctor asks
     */
    public static Builder builder(String name, Postrider postrider, DataSource dataSource) {
        return new Builder(name, postrider, dataSource);
    }

    /** Returns the name in the paths. */
    public String name() {
        return name;
    }

    /** Returns the handle on the tables. */
    public Postrider postrider() {
        return postrider;
    }

    /** Returns the view of relays, and what operators want of them. */
    public RelayAdmin relayAdmin() {
        return relayAdmin;
    }

    /** Returns the actions on many messages. */
    public BulkActions bulkActions() {
        return bulkActions;
    }

    /** Returns the view of the inbox. */
    public InboxAdmin inboxAdmin() {
        return inboxAdmin;
    }

    /** Returns the view of sagas. */
    public SagaAdmin sagaAdmin() {
        return sagaAdmin;
    }

    /** Returns the console's pool. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns what the relays of this process have told. */
    public RelayFigures figures() {
        return figures;
    }

    /** Returns the relays of this process. */
    public List<Relay> relays() {
        return List.copyOf(relays.get());
    }

    /** Returns the settings in effect. */
    public List<SourceSetting> settings() {
        return List.copyOf(settings.get());
    }

    /** Returns the checks beside those of the database. */
    public List<DoctorCheck> checks() {
        return checks;
    }

    /** Returns what asks the broker; empty if this process has no publisher. */
    public Optional<TopicProbe> probe() {
        return Optional.ofNullable(probe);
    }

    /** Returns the tools of a demo; empty outside a demo. */
    public Optional<DevTools> devTools() {
        return Optional.ofNullable(devTools);
    }

    /** Collects the parts of a {@link ConsoleSource}. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private final Postrider postrider;
        private final DataSource dataSource;
        private final List<DoctorCheck> checks = new ArrayList<>();
        private RelayFigures figures = new RelayFigures();
        private Supplier<List<Relay>> relays = List::of;
        private Supplier<List<SourceSetting>> settings = List::of;
        private @Nullable TopicProbe probe;
        private @Nullable DevTools devTools;

        private Builder(String name, Postrider postrider, DataSource dataSource) {
            if (!name.matches("[A-Za-z0-9._-]{1,60}")) {
                throw new IllegalArgumentException(
                        "A source has 1 to 60 letters, digits, dots, dashes or underscores, not '%s'".formatted(name));
            }
            this.name = name;
            this.postrider = Objects.requireNonNull(postrider, "postrider");
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** Sets the listener that was given to the relays of this process. Default: none hears a relay. */
        public Builder figures(RelayFigures value) {
            this.figures = Objects.requireNonNull(value, "figures");
            return this;
        }

        /** Sets where the relays of this process are found. Default: there is none. */
        public Builder relays(Supplier<List<Relay>> value) {
            this.relays = Objects.requireNonNull(value, "relays");
            return this;
        }

        /** Sets where the settings in effect are found. Default: none are known. */
        public Builder settings(Supplier<List<SourceSetting>> value) {
            this.settings = Objects.requireNonNull(value, "settings");
            return this;
        }

        /** Adds a check of the doctor, usually of a broker. */
        public Builder check(DoctorCheck value) {
            checks.add(Objects.requireNonNull(value, "check"));
            return this;
        }

        /** Sets what asks the broker whether a topic can be reached. Default: it cannot be asked. */
        public Builder probe(TopicProbe value) {
            this.probe = Objects.requireNonNull(value, "probe");
            return this;
        }

        /** Sets the tools of a demo. Default: there are none. */
        public Builder devTools(DevTools value) {
            this.devTools = Objects.requireNonNull(value, "devTools");
            return this;
        }

        /** Builds the source; nothing is sent to the database yet. */
        public ConsoleSource build() {
            return new ConsoleSource(this);
        }
    }
}
