package dev.postrider.server.source;

import dev.postrider.all.Postrider;
import dev.postrider.relay.HealthReport;
import dev.postrider.relay.Relay;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/** One database with its relay, in an application context of its own. Thread-safe after its start. */
public final class SourceContext implements AutoCloseable {

    private final SourceSettings settings;
    private final AnnotationConfigApplicationContext context;

    private SourceContext(SourceSettings settings, AnnotationConfigApplicationContext context) {
        this.settings = settings;
        this.context = context;
    }

    /**
     * Connects to the database, looks at the tables and starts the relay.
     *
     * @throws RuntimeException if the source cannot start; nothing of it is left running
     */
    static SourceContext start(SourceSettings settings, MeterRegistry meters, List<SourceCustomizer> customizers) {
        ConnectionCheck.requireDriver(settings);
        if (customizers.isEmpty()) {
            requireBroker(settings);
        }
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.setEnvironment(environment(settings));
        context.setId("source-" + settings.name());
        context.setDisplayName("source " + settings.name());
        context.getBeanFactory().setConversionService(ApplicationConversionService.getSharedInstance());
        context.getBeanFactory().addBeanPostProcessor(new ConnectionCheck(settings.name()));
        context.getBeanFactory().registerSingleton("meterRegistry", tagged(settings.name(), meters));
        customizers.forEach(customizer -> customizer.customize(settings.name(), context));
        context.getBeanFactory().registerSingleton("sourceSettings", settings);
        context.register(SourceConfiguration.class);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return new SourceContext(settings, context);
    }

    private static void requireBroker(SourceSettings settings) {
        boolean relays = !settings.value("postrider.relay.enabled").equals("false");
        if (relays
                && !settings.has("spring.kafka")
                && !settings.has("spring.rabbitmq")
                && !settings.has("postrider.topics")) {
            throw new StartException(
                    StartException.USAGE,
                    "Source %s has no broker: use --broker, or set spring.kafka.bootstrap-servers, spring.rabbitmq.addresses"
                                    .formatted(settings.name())
                            + " or postrider.topics.<topic>.url; postrider.relay.enabled=false relays nothing",
                    null);
        }
    }

    // Not closed with the source: closing a composite closes the server's own registry in it.
    private static MeterRegistry tagged(String source, MeterRegistry meters) {
        CompositeMeterRegistry tagged = new CompositeMeterRegistry();
        tagged.config().meterFilter(MeterFilter.commonTags(Tags.of("source", source)));
        tagged.add(meters);
        return tagged;
    }

    private static StandardEnvironment environment(SourceSettings settings) {
        StandardEnvironment environment = new StandardEnvironment() {
            @Override
            protected void customizePropertySources(MutablePropertySources sources) {
                // A source sees its own settings only; those of the process are among them.
            }
        };
        MutablePropertySources sources = environment.getPropertySources();
        sources.addLast(new MapPropertySource(
                "server", Map.of("postrider.console.enabled", "true", "postrider.console.source", settings.name())));
        sources.addLast(
                new SourceProperties(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, settings.given()));
        sources.addLast(new SourceProperties("settings of source " + settings.name(), settings.written()));
        ConfigurationPropertySources.attach(environment);
        environment.setConversionService(new ApplicationConversionService());
        return environment;
    }

    /** Returns the name of the source. */
    public String name() {
        return settings.name();
    }

    /** Returns what configures the source. */
    public SourceSettings settings() {
        return settings;
    }

    /** Returns the handle of the source's tables. */
    public Postrider postrider() {
        return context.getBean(Postrider.class);
    }

    /** Returns the data source that the source's settings describe. */
    public DataSource dataSource() {
        return context.getBean(DataSource.class);
    }

    /** Returns the relay, or nothing if it is turned off. */
    public Optional<Relay> relay() {
        return Optional.ofNullable(context.getBeanProvider(Relay.class).getIfAvailable());
    }

    /** Returns a bean of the source's context, or nothing. */
    public <T> Optional<T> bean(Class<T> type) {
        return Optional.ofNullable(context.getBeanProvider(type).getIfAvailable());
    }

    /** Tells how the relay is, if there is one. */
    public Optional<HealthReport> health() {
        return relay().map(relay -> HealthReport.of(relay.health()));
    }

    /** Stops the relay, which settles what is in flight, and then closes the pools. */
    @Override
    public void close() {
        context.close();
    }
}
