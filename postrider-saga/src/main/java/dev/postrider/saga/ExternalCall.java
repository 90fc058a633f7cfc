package dev.postrider.saga;

import java.util.UUID;

/**
 * What an external call should know about itself.
 *
 * @param idempotencyKey the same at every attempt of this step of this saga, and unlike any other; a compensation is
 *     given the key of the call it undoes
 * @param attempt counts the attempts, from 1; a number above those of the retry policy only asks
 */
public record ExternalCall(UUID sagaId, String idempotencyKey, int attempt) {}
