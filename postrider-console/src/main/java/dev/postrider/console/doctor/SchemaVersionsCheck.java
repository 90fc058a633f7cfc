package dev.postrider.console.doctor;

import dev.postrider.all.Postrider;
import dev.postrider.database.SchemaState;
import java.util.List;

/** Whether the tables have the version that this library needs. */
final class SchemaVersionsCheck implements DoctorCheck {

    private static final String CHECK = "schema";

    private final Postrider postrider;

    SchemaVersionsCheck(Postrider postrider) {
        this.postrider = postrider;
    }

    @Override
    public String name() {
        return CHECK;
    }

    @Override
    public List<Finding> run() {
        return List.of(
                required(postrider.outboxSchema().state()),
                optional("inbox", postrider.inboxSchema().state()),
                optional("saga", postrider.sagaSchema().state()));
    }

    static Finding required(SchemaState state) {
        if (state.version() == null) {
            return Finding.bad(
                    CHECK,
                    "There are no tables of the outbox",
                    "Nothing can be enqueued.",
                    "Run 'postrider schema migrate', or apply 'postrider schema sql'.");
        }
        return fitting("outbox", state);
    }

    static Finding optional(String part, SchemaState state) {
        return state.version() == null
                ? Finding.note(CHECK, "There are no %s tables".formatted(part), "This source does not use them.")
                : fitting(part, state);
    }

    private static Finding fitting(String part, SchemaState state) {
        String found = "The %s tables have version %d; this library needs %d"
                .formatted(part, state.version(), state.expected());
        if (state.fits()) {
            return Finding.ok(CHECK, found, "Library and tables fit.");
        }
        boolean newer = state.version() != null && state.version() > state.expected();
        return Finding.bad(
                CHECK,
                found,
                "This version of the library refuses to work with these tables.",
                newer ? "Upgrade this process." : "Run 'postrider schema migrate'.");
    }
}
