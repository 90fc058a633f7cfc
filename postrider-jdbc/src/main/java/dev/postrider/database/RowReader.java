package dev.postrider.database;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row at which a result set stands. */
@FunctionalInterface
public interface RowReader<T> {

    /** Reads the columns of the row, and does not move on. */
    T read(ResultSet row) throws SQLException;
}
