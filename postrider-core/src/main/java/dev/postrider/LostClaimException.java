package dev.postrider;

import java.util.UUID;

/** The claim being settled is no longer held: it expired and was taken over, or it was settled before. */
public final class LostClaimException extends OutboxException {

    /** Names the message whose claim was lost. */
    public LostClaimException(UUID id) {
        super("The claim on message %s is no longer held; another relay decides its outcome".formatted(id));
    }
}
