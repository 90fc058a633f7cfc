package dev.postrider.spring.boot;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionOperations;

/** Says what to do about two data sources or two transaction managers of which none is primary. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AmbiguousBeanFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final BeanFactory beans;

    AmbiguousBeanFailureAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        Class<?> wanted = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().resolve();
        if (wanted == null) {
            return null;
        }
        if (cause instanceof NoUniqueBeanDefinitionException several && several.getBeanNamesFound() != null) {
            if (wanted == DataSource.class && isOurs(description)) {
                return dataSources(several.getBeanNamesFound(), cause);
            }
            return TransactionManager.class.isAssignableFrom(wanted)
                    ? managers(several.getBeanNamesFound(), cause)
                    : null;
        }
        // Spring Boot offers a TransactionTemplate for a single manager only.
        List<String> managers = TransactionOperations.class.isAssignableFrom(wanted) ? managers() : List.of();
        return managers.size() > 1 ? managers(managers, cause) : null;
    }

    private static boolean isOurs(@Nullable String description) {
        return description != null && description.contains(AmbiguousBeanFailureAnalyzer.class.getPackageName());
    }

    private List<String> managers() {
        return beans instanceof ListableBeanFactory listable
                ? Arrays.asList(listable.getBeanNamesForType(PlatformTransactionManager.class, true, false))
                : List.of();
    }

    private static FailureAnalysis dataSources(Collection<String> names, Throwable cause) {
        return new FailureAnalysis(
                "Postrider keeps its tables in one database, and there are %d data sources of which none is primary: %s"
                        .formatted(names.size(), String.join(", ", names)),
                """
                Do one of these:
                - put @Primary on the data source that gets the messages, the one of your business data
                - put @Bean(defaultCandidate = false) on the others
                - set spring.autoconfigure.exclude=%s to use no outbox""".formatted(PostriderAutoConfiguration.class.getName()),
                cause);
    }

    private static FailureAnalysis managers(Collection<String> names, Throwable cause) {
        return new FailureAnalysis(
                "There are %d transaction managers of which none is primary: %s. A message needs a transaction of the"
                                .formatted(names.size(), String.join(", ", names))
                        + " outbox's data source",
                """
                Do one of these:
                - put @Primary on the transaction manager of the outbox's data source
                - name it where messages are enqueued, as in @Transactional("%s")
                - make a TransactionTemplate of it: new TransactionTemplate(manager)""".formatted(names.iterator().next()),
                cause);
    }
}
