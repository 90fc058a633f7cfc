package dev.postrider.spring.boot;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says why the application could not connect to the database of the outbox. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<OutboxException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, OutboxException cause) {
        return DatabaseRefusal.of(cause).orElse(null);
    }
}
