package dev.postrider.spring;

import dev.postrider.OutboxException;

/** A message was to be enqueued where no transaction could commit it. */
public final class NoTransactionException extends OutboxException {

    private static final long serialVersionUID = 1;

    NoTransactionException(String message) {
        super(message);
    }
}
