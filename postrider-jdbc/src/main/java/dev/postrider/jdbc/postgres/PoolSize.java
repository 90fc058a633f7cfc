package dev.postrider.jdbc.postgres;

import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** How many connections a pool has at most. Asked by name, so that no pool is a dependency. */
final class PoolSize {

    // HikariCP; DBCP 2; Tomcat; c3p0 and UCP.
    private static final List<String> GETTERS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

    private PoolSize() {}

    /** Returns the size, or nothing if this is no pool or one that does not tell. */
    static OptionalInt of(DataSource dataSource) {
        for (String getter : GETTERS) {
            try {
                if (dataSource.getClass().getMethod(getter).invoke(dataSource) instanceof Integer size) {
                    return OptionalInt.of(size);
                }
            } catch (ReflectiveOperationException e) {
                // Another kind of pool: the next name is tried.
            }
        }
        return OptionalInt.empty();
    }
}
