package dev.postrider.all;

import dev.postrider.database.TableNames;
import java.util.Objects;

/** The names of all tables of one handle. */
record Tables(TableNames outbox, TableNames inbox, TableNames saga) {

    Tables {
        Objects.requireNonNull(outbox, "outbox");
        Objects.requireNonNull(inbox, "inbox");
        Objects.requireNonNull(saga, "saga");
    }

    static Tables defaults() {
        return new Tables(TableNames.defaults(), TableNames.of("inbox_"), TableNames.of("saga_"));
    }

    Tables inSchema(String name) {
        return new Tables(outbox.withSchema(name), inbox.withSchema(name), saga.withSchema(name));
    }
}
