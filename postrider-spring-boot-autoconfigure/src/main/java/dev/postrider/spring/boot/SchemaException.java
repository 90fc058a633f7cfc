package dev.postrider.spring.boot;

import dev.postrider.OutboxException;

/** The tables are missing or do not fit this version. */
final class SchemaException extends OutboxException {

    private static final long serialVersionUID = 1;

    SchemaException(OutboxException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
