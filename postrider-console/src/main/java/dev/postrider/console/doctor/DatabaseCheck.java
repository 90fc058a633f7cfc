package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A check that asks the database. */
interface DatabaseCheck {

    /** Returns what is looked at, in a few words. */
    String name();

    /** Returns the databases that it can ask. */
    default Set<Dialect> dialects() {
        return Set.of(Dialect.values());
    }

    /** Returns what was found; empty if there is nothing to say here. */
    List<Finding> look(DoctorSession session) throws SQLException;
}
