package dev.postrider.spi;

import java.time.Instant;

/**
 * A place among the rows that wait, which are ordered by their due time and then by sequence.
 *
 * @param at a due time
 * @param seq a sequence
 */
public record DuePosition(Instant at, long seq) {}
