package dev.postrider.spring.boot.console;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.servlet.CallerFinder;
import dev.postrider.console.servlet.ConsoleServlet;
import dev.postrider.console.servlet.LoopbackCallers;
import dev.postrider.spring.boot.PostriderProperties;
import jakarta.servlet.Servlet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the operators' API and pages in this application, below a path of its own. */
@AutoConfiguration(after = PostriderConsoleSourceAutoConfiguration.class)
@ConditionalOnClass({ConsoleServlet.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ConsoleSource.class)
final class PostriderConsoleAutoConfiguration {

    private static final String SECURITY = "org.springframework.security.core.Authentication";

    @Bean
    @ConditionalOnMissingBean
    ConsoleApi postriderConsoleApi(ObjectProvider<ConsoleSource> sources) {
        return ConsoleApi.of(sources.orderedStream().toList());
    }

    /** Begins to look at the source when all beans are there, because the console asks for the relays. */
    @Bean
    SmartInitializingSingleton postriderConsoleStart(ConsoleApi api) {
        return () -> api.start();
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> postriderConsoleServlet(
            ConsoleApi api, CallerFinder callers, PostriderProperties properties) {
        ServletRegistrationBean<ConsoleServlet> registration =
                new ServletRegistrationBean<>(new ConsoleServlet(api::handle, callers, null), path(properties) + "/*");
        registration.setName("postriderConsole");
        registration.setAsyncSupported(true);
        return registration;
    }

    @Bean
    ConsoleStreamsEnd postriderConsoleStreamsEnd(ServletRegistrationBean<ConsoleServlet> registration) {
        return new ConsoleStreamsEnd(registration.getServlet());
    }

    private static String path(PostriderProperties properties) {
        String path = properties.console().path();
        if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "postrider.console.path must begin with a slash and not end with one, but is '%s'".formatted(path));
        }
        return path;
    }

    /** Spring Security says who a caller is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = SECURITY)
    static class WithSecurity {

        @Bean
        @ConditionalOnMissingBean
        CallerFinder postriderConsoleCallers(PostriderProperties properties) {
            return new SecurityCallers(properties.console().roles());
        }
    }

    /** Nobody says who a caller is, so it must be somebody on this machine. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(SECURITY)
    static class WithoutSecurity {

        @Bean
        @ConditionalOnMissingBean
        CallerFinder postriderConsoleCallers() {
            return new LoopbackCallers();
        }
    }
}
