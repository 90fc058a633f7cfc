package dev.postrider.database;

import org.jspecify.annotations.Nullable;

/**
 * How large a table is, as the database's catalog estimates it. An estimate may be far off after large changes.
 *
 * @param name what the table is called
 * @param rows how many rows it has; null if the database does not know yet
 * @param bytes what it takes on the disk with its indexes; null if the database does not tell
 */
public record TableSize(
        String name, @Nullable Long rows, @Nullable Long bytes) {}
