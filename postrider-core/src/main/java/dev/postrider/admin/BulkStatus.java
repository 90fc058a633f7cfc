package dev.postrider.admin;

/** Where a bulk action stands. */
public enum BulkStatus {
    /** Counted, not started; after an hour it can no longer be started. */
    PREPARED,
    /** Started and not ended; if its process is gone, any other one may go on with it. */
    RUNNING,
    /** Stopped by a person until it is run again. */
    PAUSED,
    /** Has dealt with every message. */
    DONE,
    /** Stopped by a person for good; what was done stays done. */
    CANCELLED
}
