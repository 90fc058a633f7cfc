package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.util.List;
import java.util.Set;

/** Says what H2 is for. */
final class TrialDatabaseCheck implements DatabaseCheck {

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.H2);
    }

    @Override
    public List<Finding> look(DoctorSession session) {
        return List.of(Finding.note(
                name(), "This is H2", "H2 is for trying out and for tests: a crash may lose what was committed last."));
    }
}
