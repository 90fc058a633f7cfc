package dev.postrider.spring.boot;

import dev.postrider.spring.NoTransactionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how code that runs at start gets a transaction. */
final class TransactionFailureAnalyzer extends AbstractFailureAnalyzer<NoTransactionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoTransactionException cause) {
        return new FailureAnalysis(cause.getMessage(), """
                At start, no proxy is between a bean and its own methods. Do one of these:
                - inject TransactionTemplate, and enqueue in its executeWithoutResult
                - enqueue in a public method with @Transactional of another bean""", cause);
    }
}
