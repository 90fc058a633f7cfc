package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What Spring Boot prints about a start that failed, with all analyzers on the class path in their order. */
final class StartFailures {

    private StartFailures() {}

    static FailureAnalysis analysis(ApplicationContextRunner runner) {
        AtomicReference<ConfigurableApplicationContext> started = new AtomicReference<>();
        AtomicReference<FailureAnalysis> found = new AtomicReference<>();
        runner.withInitializer(started::set).run(context -> {
            assertThat(context).hasFailed();
            found.set(analysis(
                    Objects.requireNonNull(context.getStartupFailure()), Objects.requireNonNull(started.get())));
        });
        return Objects.requireNonNull(found.get());
    }

    private static FailureAnalysis analysis(Throwable failure, ConfigurableApplicationContext context) {
        return analysis(
                failure,
                ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
                        .and(Environment.class, context.getEnvironment()));
    }

    static FailureAnalysis analysis(Throwable failure, ArgumentResolver arguments) {
        // Spring Boot too leaves out analyzers that cannot be made.
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, arguments, FailureHandler.handleMessage((message, error) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing explains this failure", failure));
    }
}
