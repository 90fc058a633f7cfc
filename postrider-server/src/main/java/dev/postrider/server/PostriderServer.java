package dev.postrider.server;

import dev.postrider.server.security.AddressRule;
import dev.postrider.server.source.SourceAutoConfigurations;
import dev.postrider.server.source.SourceContexts;
import dev.postrider.server.source.SourceFailures;
import dev.postrider.server.source.StartException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

/** The server: relays of one or several databases, with health, meters and the operators' API. Thread-safe. */
public final class PostriderServer implements AutoCloseable {

    /** The port of the server unless the settings name another. */
    public static final int PORT = 8470;

    private final ConfigurableApplicationContext context;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private PostriderServer(ConfigurableApplicationContext context) {
        this.context = context;
        context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> {
            if (event.getApplicationContext() == context) {
                stopped.countDown();
            }
        });
    }

    /**
     * Starts a server. Settings are those of files named {@code postrider.yml}, of the environment, and
     * {@code settings}, which win.
     *
     * @param settings settings by name
     * @param more configuration classes whose beans join the server's, such as a {@code SourceCustomizer}
     * @throws StartException if it cannot start; nothing is left running
     */
    public static PostriderServer start(Map<String, String> settings, Class<?>... more) {
        SpringApplication application = new SpringApplication(ServerConfiguration.class);
        application.addPrimarySources(List.of(more));
        application.setWebApplicationType(WebApplicationType.SERVLET);
        application.setDefaultProperties(defaults());
        List<String> arguments = new ArrayList<>();
        settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        try {
            return new PostriderServer(application.run(arguments.toArray(String[]::new)));
        } catch (RuntimeException e) {
            throw SourceFailures.of(e);
        }
    }

    // The lowest of all settings: a file, the environment and the command line replace each of them.
    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new LinkedHashMap<>();
        defaults.put("spring.application.name", "postrider");
        defaults.put("spring.config.name", "postrider");
        defaults.put("spring.main.banner-mode", "off");
        defaults.put("spring.main.log-startup-info", "false");
        defaults.put("spring.jmx.enabled", "false");
        defaults.put("spring.autoconfigure.exclude", String.join(",", SourceAutoConfigurations.ofStarter()));
        defaults.put("spring.mvc.servlet.path", "/actuator");
        defaults.put("spring.web.resources.add-mappings", "false");
        defaults.put("server.servlet.session.cookie.name", "postrider");
        defaults.put("server.servlet.session.cookie.http-only", "true");
        defaults.put("server.servlet.session.timeout", "8h");
        defaults.put("server.compression.enabled", "true");
        defaults.put("server.tomcat.threads.max", "50");
        defaults.put("server.error.whitelabel.enabled", "false");
        defaults.put("server.port", Integer.toString(PORT));
        defaults.put("server.shutdown", "graceful");
        defaults.put("spring.lifecycle.timeout-per-shutdown-phase", "30s");
        defaults.put("management.endpoints.web.base-path", "/");
        defaults.put("management.endpoints.web.discovery.enabled", "false");
        defaults.put("management.endpoints.web.exposure.include", "health,info,prometheus");
        defaults.put("management.endpoint.health.probes.enabled", "true");
        defaults.put("management.endpoint.health.group.liveness.include", "livenessState,relays");
        defaults.put("management.endpoint.health.group.readiness.include", "readinessState,sources");
        defaults.put("management.endpoint.health.show-details", "when-authorized");
        defaults.put("management.health.diskspace.enabled", "false");
        defaults.put("management.health.ssl.enabled", "false");
        // What goes wrong at the start is one line of the command; these would print it again with its stack.
        defaults.put("logging.level.org.springframework.boot.SpringApplication", "off");
        defaults.put(
                "logging.level.org.springframework.boot.tomcat.servlet.DeferredServletContainerInitializers", "off");
        defaults.put("logging.level.org.springframework.boot.diagnostics.LoggingFailureAnalysisReporter", "off");
        defaults.put(
                "logging.level.org.springframework.context.annotation.AnnotationConfigApplicationContext", "error");
        defaults.put(
                "logging.level.org.springframework.boot.autoconfigure.logging.ConditionEvaluationReportLogger", "warn");
        defaults.put(
                "logging.level.org.springframework.boot.web.server.servlet.context"
                        + ".AnnotationConfigServletWebServerApplicationContext",
                "error");
        return defaults;
    }

    /** Returns the port that the server listens on. */
    public int port() {
        if (context instanceof WebServerApplicationContext web && web.getWebServer() != null) {
            return web.getWebServer().getPort();
        }
        throw new IllegalStateException("The server does not listen");
    }

    /** Returns the address that the server listens on, for people. */
    public String host() {
        return context.getBean(AddressRule.class).shown();
    }

    /** Returns the sources of the server. */
    public SourceContexts sources() {
        return context.getBean(SourceContexts.class);
    }

    /** Returns a bean of the server. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Waits until the server stops, for example because the process was asked to end. */
    public void awaitStop() throws InterruptedException {
        stopped.await();
    }

    /** Stops the server: open requests end, relays settle what is in flight, pools close. */
    @Override
    public void close() {
        context.close();
    }
}
