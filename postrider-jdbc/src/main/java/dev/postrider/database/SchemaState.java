package dev.postrider.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the tables are found.
 *
 * @param version the version they have; null if there are none
 * @param expected the version this library needs
 * @param tables their sizes as the database estimates them, by name
 */
public record SchemaState(@Nullable Integer version, int expected, List<TableSize> tables) {

    /** Copies the tables. */
    public SchemaState {
        tables = List.copyOf(tables);
    }

    /** Returns whether this library can work with the tables. */
    public boolean fits() {
        return version != null && version == expected;
    }
}
