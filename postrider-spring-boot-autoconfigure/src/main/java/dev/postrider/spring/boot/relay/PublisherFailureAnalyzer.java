package dev.postrider.spring.boot.relay;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which publisher is missing and how to get it. */
final class PublisherFailureAnalyzer extends AbstractFailureAnalyzer<PublisherException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PublisherException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
