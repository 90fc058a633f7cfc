package dev.postrider.database;

import dev.postrider.OutboxException;

/** The tables are missing, or have another version than this library needs. */
public final class SchemaVersionException extends OutboxException {

    private static final long serialVersionUID = 1;

    private final int found;
    private final int needed;

    SchemaVersionException(String message, int found, int needed) {
        super(message);
        this.found = found;
        this.needed = needed;
    }

    /** Returns whether a newer version of the library made the tables. Only an upgrade of this one helps. */
    public boolean newer() {
        return found > needed;
    }

    /** Returns whether there are no tables. */
    public boolean missing() {
        return found == SchemaCheck.MISSING;
    }
}
