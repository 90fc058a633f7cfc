package dev.postrider.admin;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The desk at which a person deals with messages that went wrong: find them, see what they have in common, correct one,
 * bring one back, and look up who did what. {@link OutboxAdmin} requeues and discards. Implementations are thread-safe.
 */
public interface DeadMessages {

    /**
     * Finds messages. Dead ones, and whatever is asked for by the time of its death, come in the order in which they
     * died; all others in the order in which they were enqueued.
     *
     * @throws IllegalArgumentException if the cursor is not one of the same question
     */
    Slice<StoredMessage> search(MessageFilter filter, Page page);

    /**
     * Groups DEAD messages by namespace, topic, type and failure, the largest group first. The latest 100,000 are
     * looked at; {@link DeadGroup#atLeast} tells whether there are more. The filter's status does not matter.
     */
    List<DeadGroup> groups(MessageFilter filter, int limit);

    /**
     * Finds up to {@code each} messages of the same key and topic before a message, and as many after it. Each
     * direction looks at 10,000 rows at most.
     *
     * @return empty if the message is not in the outbox
     */
    Optional<Neighbours> neighbours(UUID id, int each);

    /**
     * Replaces a DEAD message by a corrected one, PENDING and due now, in the same place in the order of its key. The
     * original goes into the archive.
     *
     * <p>The new message has an id of its own, because to consumers it is another message. It keeps a dedupe key, so a
     * later enqueue with that key still is already enqueued; the id that such an enqueue reports is the original's,
     * which belongs to the key, and {@link #archived} leads from there to the new one.
     *
     * @return the id of the new message
     * @throws MessageStateException if the message is not DEAD
     * @throws IllegalArgumentException if the new message breaks a rule or a limit
     * @throws dev.postrider.OutboxException if the message has a defect, or cannot be written as safely as it was
     */
    UUID edit(UUID id, MessageEdit edit, Decision decision);

    /** Returns what the archive has of a message, and the messages it replaced; the latest first. */
    List<ArchivedMessage> archived(UUID id);

    /**
     * Brings a discarded message back from the archive with its id, PENDING, as the last of the outbox: what waited
     * behind it has gone on.
     *
     * @throws MessageStateException if a message with this id is in the outbox, or none that was discarded is archived
     * @throws dev.postrider.OutboxException if its dedupe key has been enqueued again
     */
    void restore(UUID id, Decision decision);

    /**
     * Returns what people did, and why.
     *
     * @throws IllegalArgumentException if the cursor is not one of the same question
     */
    Slice<AuditEntry> audit(AuditFilter filter, Page page);
}
