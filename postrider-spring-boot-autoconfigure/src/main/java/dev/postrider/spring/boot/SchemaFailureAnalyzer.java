package dev.postrider.spring.boot;

import dev.postrider.database.SchemaVersionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about missing, old or new tables. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        return new FailureAnalysis(
                "The tables of Postrider cannot be used: " + cause.getMessage(), action(cause), cause);
    }

    private static String action(SchemaException cause) {
        if (!(cause.getCause() instanceof SchemaVersionException version)) {
            return "Correct what the description names, or set postrider.schema.mode=none to look at nothing";
        }
        if (version.newer()) {
            return """
                    A newer version of Postrider has made or upgraded these tables. Do one of these:
                    - upgrade Postrider in this application to that version
                    - set postrider.schema.name or the table prefixes if the tables belong to another application""";
        }
        String tool = version.missing()
                ? "apply the SQL that Postrider.on(dataSource).build().schemaSql() prints with your migration tool"
                : "apply the newer V files of META-INF/postrider with your migration tool";
        return """
                Do one of these:
                - set postrider.schema.mode=create-or-migrate, and the application creates and upgrades them at start
                - %s
                - set postrider.schema.mode=none if they are created while the application runs""".formatted(tool);
    }
}
