package dev.postrider.jdbc;

import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import org.junit.jupiter.api.Assumptions;

/** Skips a test, with the reason, where its database cannot be started. */
public final class Kinds {

    private Kinds() {}

    public static Kind require(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        return kind;
    }
}
