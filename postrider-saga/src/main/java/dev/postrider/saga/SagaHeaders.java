package dev.postrider.saga;

/** The headers by which commands and replies of sagas are known, and the types of replies without a handler. */
final class SagaHeaders {

    /** The saga that asks. */
    static final String SAGA_ID = "saga-id";

    /** The step that asks. */
    static final String STEP = "saga-step";

    /** The command, whatever message carries it: one that is sent again has the same. */
    static final String COMMAND_ID = "command-id";

    /** In a reply: the command it answers. */
    static final String IN_REPLY_TO = "in-reply-to";

    /** In a command: the topic the reply goes to. */
    static final String REPLY_TO = "reply-to";

    /** In a reply: what became of the command, a {@link Answer.Outcome}. */
    static final String OUTCOME = "saga-outcome";

    /** The type of a reply to an action that came after its compensation and was not run. */
    static final String SUPERSEDED = "saga.superseded";

    /** The type of a reply to a compensation that found nothing to undo. */
    static final String NOTHING_TO_UNDO = "saga.nothing-to-undo";

    private SagaHeaders() {}
}
