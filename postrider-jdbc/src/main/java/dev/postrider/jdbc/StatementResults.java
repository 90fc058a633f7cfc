package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Picks a result of statements that were sent together. */
final class StatementResults {

    private StatementResults() {}

    /** Executes and returns the rows of the statement that follows the first {@code skipped} ones. */
    static ResultSet after(int skipped, PreparedStatement statements) throws SQLException {
        boolean rows = statements.execute();
        for (int i = 0; i < skipped; i++) {
            rows = statements.getMoreResults();
        }
        if (!rows) {
            throw new SQLException("Statement %d returned no rows".formatted(skipped + 1));
        }
        return statements.getResultSet();
    }
}
