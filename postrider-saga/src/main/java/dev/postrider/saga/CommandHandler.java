package dev.postrider.saga;

import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;

/**
 * What a participant does about a command of a saga. It may run again after a conflict with another transaction, of
 * which nothing is left then.
 */
@FunctionalInterface
public interface CommandHandler {

    /** Carries out the command and says what came of it; whatever it throws rolls everything back. */
    Answer handle(ReceivedMessage command, InboxTransaction transaction) throws Exception;
}
