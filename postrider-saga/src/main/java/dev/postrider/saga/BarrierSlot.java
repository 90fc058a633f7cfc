package dev.postrider.saga;

import java.util.UUID;

/**
 * What a command is about.
 *
 * @param consumer the participant
 * @param commandId the command, the same each time it is sent
 */
record BarrierSlot(String consumer, UUID sagaId, String step, String commandId) {}
