package dev.postrider.console;

/** What a caller may do; each role may do what the ones before it may. */
public enum ConsoleRole {
    /** Looks at everything and changes nothing. */
    VIEWER,
    /** Decides about messages, relays, topics and sagas. */
    OPERATOR,
    /** Changes what others depend on, such as the tables. */
    ADMIN;

    /** Returns whether this role may do what {@code needed} may. */
    public boolean includes(ConsoleRole needed) {
        return compareTo(needed) >= 0;
    }
}
