package dev.postrider.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one fetch read of the rows whose time has come.
 *
 * @param rows in the order of their due times
 * @param next where the next fetch goes on; null if there is nothing due after these
 */
public record FetchedDue(List<FetchedRow> rows, @Nullable DuePosition next) {

    /** Copies the rows. */
    public FetchedDue {
        rows = List.copyOf(rows);
    }
}
