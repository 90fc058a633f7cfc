package dev.postrider.console.doctor;

import java.util.List;

/** Looks at one thing that a promise rests on. Thread-safe; bounded in time. */
@FunctionalInterface
public interface DoctorCheck {

    /** Returns what was found; one finding at least. An error becomes a finding that says so. */
    List<Finding> run();

    /** Returns the name in findings if the check ends by an error. */
    default String name() {
        return getClass().getSimpleName();
    }
}
