package dev.postrider.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about missing or old tables. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        return new FailureAnalysis(
                "The tables of Postrider are missing or do not fit this version: " + cause.getMessage(), """
                Do one of these:
                - set postrider.schema.mode=create-or-migrate, and the application creates and upgrades them at start
                - apply the SQL that Postrider.on(dataSource).build().schemaSql() prints with your migration tool
                - set postrider.schema.mode=none if they are created while the application runs""", cause);
    }
}
