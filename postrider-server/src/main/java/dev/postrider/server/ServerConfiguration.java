package dev.postrider.server;

import dev.postrider.console.servlet.CallerFinder;
import dev.postrider.console.servlet.ConsoleServlet;
import dev.postrider.console.servlet.SignIn;
import dev.postrider.server.security.SecurityConfiguration;
import dev.postrider.server.source.SourceContexts;
import dev.postrider.server.source.SourceCustomizer;
import dev.postrider.spring.boot.console.ConsoleStreamsEnd;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/** The web context of the server: HTTP, security, health and meters. Databases and brokers belong to its sources. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"
        })
@Import(SecurityConfiguration.class)
class ServerConfiguration {

    @Bean
    SourceContexts sourceContexts(
            ConfigurableEnvironment environment, MeterRegistry meters, ObjectProvider<SourceCustomizer> customizers) {
        return new SourceContexts(
                environment, meters, customizers.orderedStream().toList());
    }

    @Bean("sources")
    CompositeHealthContributor sourcesHealth(SourceContexts sources) {
        return new SourcesHealth(sources, SourcesHealth::ready);
    }

    @Bean("relays")
    CompositeHealthContributor relaysHealth(SourceContexts sources) {
        return new SourcesHealth(sources, SourcesHealth::live);
    }

    @Bean
    ServerConsole serverConsole(SourceContexts sources) {
        return new ServerConsole(sources);
    }

    @Bean
    ConsoleServlet consolePages(ServerConsole console, CallerFinder callers, SignIn signIn) {
        return new ConsoleServlet(console::handle, callers, signIn);
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> consoleServlet(ConsoleServlet pages) {
        ServletRegistrationBean<ConsoleServlet> registration = new ServletRegistrationBean<>(pages, "/");
        registration.setName("console");
        registration.setAsyncSupported(true);
        return registration;
    }

    @Bean
    ConsoleStreamsEnd streamsEnd(ConsoleServlet pages) {
        return new ConsoleStreamsEnd(pages);
    }

    @Bean
    InfoContributor versionInfo() {
        String version = PostriderServer.class.getPackage().getImplementationVersion();
        return info -> info.withDetail("version", version == null ? "unknown" : version);
    }
}
