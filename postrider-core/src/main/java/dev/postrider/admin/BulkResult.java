package dev.postrider.admin;

/** What became of one message of a bulk action. */
public enum BulkResult {
    /** The action was done. */
    DONE,
    /** Somebody else had changed it, or held it locked to the end; it was left alone. */
    SKIPPED,
    /** The database refused; the row's error says why. */
    FAILED
}
