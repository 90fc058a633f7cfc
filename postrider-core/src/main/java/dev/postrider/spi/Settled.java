package dev.postrider.spi;

import java.util.List;

/**
 * What became of outcomes that were to be written.
 *
 * @param written how many were written
 * @param locked those whose rows somebody else has locked; they are to be written again later
 */
public record Settled(int written, List<Settlement> locked) {

    /** Copies the outcomes. */
    public Settled {
        locked = List.copyOf(locked);
    }
}
