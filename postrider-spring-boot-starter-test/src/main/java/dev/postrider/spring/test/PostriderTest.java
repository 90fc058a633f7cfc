package dev.postrider.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Starts the part of an application that sends messages: Postrider, data source, transactions, migrations, and JDBC or
 * JPA with its repositories. It has neither a web server nor a relay, and no {@code @Component} of the application but
 * those that the test imports or includes.
 *
 * <p>The test looks at the outbox through an {@link OutboxProbe}, and delivers messages with it when it wants to.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SpringExtension.class)
@BootstrapWith(PostriderTestContextBootstrapper.class)
@ContextConfiguration
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(PostriderTypeExcludeFilter.class)
@ImportAutoConfiguration
@TestPropertySource(properties = "postrider.relay.enabled=false")
@Import(OutboxProbeConfiguration.class)
public @interface PostriderTest {

    /** The configuration classes; none means the {@code @SpringBootApplication} above the test's package. */
    @AliasFor(annotation = ContextConfiguration.class, attribute = "classes")
    Class<?>[] classes() default {};

    /** Properties of the application, as {@code name=value}. */
    String[] properties() default {};

    /** Whether beans are left out as the description says; false takes every {@code @Component}. */
    boolean useDefaultFilters() default true;

    /** Which components are taken beside the default. */
    Filter[] includeFilters() default {};

    /** Which components are left out of the default. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations that are left out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
