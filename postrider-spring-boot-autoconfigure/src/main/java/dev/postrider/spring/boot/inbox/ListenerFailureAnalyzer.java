package dev.postrider.spring.boot.inbox;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why a listener cannot receive and what to change. */
final class ListenerFailureAnalyzer extends AbstractFailureAnalyzer<ListenerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ListenerException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
