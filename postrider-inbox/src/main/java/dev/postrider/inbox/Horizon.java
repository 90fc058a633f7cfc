package dev.postrider.inbox;

/**
 * What happens to a message whose id says that it is older than marks are kept, so that nobody can tell whether it was
 * handled before. Only a UUIDv7 tells its time; other ids are taken as new.
 */
public enum Horizon {
    /** It is parked for an operator to decide. */
    PARK,
    /** It is handled, perhaps for the second time. */
    PROCESS,
    /** It is taken for a duplicate. */
    SKIP
}
