package dev.postrider.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The flags of a command that changes something. Without {@code --execute} it only says what it would do. */
final class Changing {

    @Option(names = "--execute", description = "Does it. Without this flag the command says what it would do.")
    boolean execute;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit trail. Needed with --execute.")
    @Nullable String reason;

    /**
     * Returns whether to do it, after telling what would be done if not.
     *
     * @param what begins with a verb, such as {@code pause relay r1}
     */
    boolean confirmed(CliSession session, String what) {
        if (!execute) {
            session.note("Would %s. Nothing was changed; add --execute --reason '…' to do it.".formatted(what));
            return false;
        }
        if (reason == null || reason.isBlank()) {
            throw session.usage("--execute needs --reason '…', which goes to the audit trail");
        }
        return true;
    }

    ObjectNode body() {
        return CliSession.body().put("reason", reason == null ? "" : reason);
    }
}
