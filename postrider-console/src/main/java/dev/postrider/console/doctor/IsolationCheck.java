package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The isolation that an application's transactions have unless they say something else. */
final class IsolationCheck implements DatabaseCheck {

    @Override
    public String name() {
        return "isolation";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        String question = switch (session.dialect()) {
            case POSTGRESQL -> "select current_setting('default_transaction_isolation')";
            case MARIADB -> "select @@global.tx_isolation";
            case MYSQL, H2 -> "select @@global.transaction_isolation";
        };
        String isolation =
                session.value(question).orElse("").toLowerCase(Locale.ROOT).replace('-', ' ');
        if (session.dialect() != Dialect.POSTGRESQL || isolation.equals("read committed")) {
            return List.of(Finding.ok(
                    name(),
                    "The server's default is " + isolation,
                    "Postrider's own transactions are READ COMMITTED whatever the default is."));
        }
        return List.of(
                Finding.note(
                        name(),
                        "The server's default is " + isolation,
                        "A second enqueue of the same dedupe key may end the transaction with state 40001; run it again then."));
    }
}
