package dev.postrider.server.security;

import dev.postrider.console.servlet.CallerFinder;
import dev.postrider.console.servlet.LoopbackCallers;
import dev.postrider.console.servlet.SignIn;
import java.net.InetAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.servlet.CookieSameSiteSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/** Who may call the server: its users, callers of an identity provider, or nobody but its own machine. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServerProperties.class)
public class SecurityConfiguration {

    @Bean
    Access access(ConfigurableEnvironment environment, ServerProperties properties) {
        ServerSettingNames.check(environment);
        return Access.of(environment, properties);
    }

    @Bean
    AddressRule addressRule(ConfigurableEnvironment environment, Access access) {
        return new AddressRule(environment.getProperty("server.address", InetAddress.class), access.knowsCallers());
    }

    // A sign-in at an identity provider returns from a foreign page, and a strict cookie would not come with it.
    @Bean
    CookieSameSiteSupplier sessionCookie(Access access) {
        return access.login() ? CookieSameSiteSupplier.ofLax() : CookieSameSiteSupplier.ofStrict();
    }

    // Paths are those of requests. Spring Boot's builder would put the path of its own servlet before each.
    @Bean
    PathPatternRequestMatcher.Builder paths() {
        return PathPatternRequestMatcher.withDefaults();
    }

    @Bean
    PasswordSignIn passwords(ServerProperties properties) {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(ServerUsers.of(properties.users()));
        DaoAuthenticationProvider passwords = new DaoAuthenticationProvider(users);
        passwords.setPasswordEncoder(ServerUsers.encoder());
        return new PasswordSignIn(new LimitedSignIns(passwords, new SignInLimit(Clock.systemUTC())));
    }

    @Bean
    CallerFinder callers(Access access, ServerProperties properties) {
        return access.knowsCallers() ? new ServerCallers(properties.oidc()) : new LoopbackCallers();
    }

    @Bean
    SignIn signIn(Access access, PasswordSignIn passwords, ObjectProvider<ClientRegistrationRepository> providers) {
        Map<String, String> paths = new LinkedHashMap<>();
        if (access.login() && providers.getObject() instanceof Iterable<?> registrations) {
            for (Object each : registrations) {
                if (each instanceof ClientRegistration registration) {
                    paths.put(registration.getClientName(), "oauth2/authorization/" + registration.getRegistrationId());
                }
            }
        }
        return new SessionSignIn(passwords.provider(), access.passwords(), paths);
    }

    @Bean
    SecurityFilterChain security(
            HttpSecurity http, Access access, PasswordSignIn passwords, ServerProperties properties) {
        // The servlet checks the origin of writes itself, also where no session exists.
        http.csrf(csrf -> csrf.disable())
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .exceptionHandling(errors -> errors.authenticationEntryPoint(ProblemAnswers::signedOut)
                        .accessDeniedHandler(ProblemAnswers::refused))
                .authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                        .permitAll()
                        .requestMatchers("/actuator/**")
                        .hasRole("VIEWER")
                        .anyRequest()
                        .permitAll());
        if (!access.knowsCallers()) {
            http.addFilterAfter(new LocalCallerFilter(), SecurityContextHolderFilter.class);
        }
        if (access.passwords()) {
            http.authenticationProvider(passwords.provider());
            http.httpBasic(basic -> basic.authenticationEntryPoint(ProblemAnswers::signedOut));
        }
        OidcCallers oidc = new OidcCallers(properties.oidc());
        if (access.login()) {
            http.oauth2Login(login -> login.loginPage("/")
                    .defaultSuccessUrl("/", true)
                    .failureUrl("/?signin=failed")
                    .userInfoEndpoint(info -> info.userAuthoritiesMapper(oidc::authorities)));
        }
        if (access.tokens()) {
            http.oauth2ResourceServer(server -> server.authenticationEntryPoint(ProblemAnswers::signedOut)
                    .jwt(jwt -> jwt.jwtAuthenticationConverter(oidc::caller)));
        }
        return http.build();
    }
}
