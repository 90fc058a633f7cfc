package dev.postrider.spi;

/** Rows above {@code after}, up to and including {@code upTo}, by enqueue sequence. */
public record SeqRange(long after, long upTo) {

    /** Checks the order of the ends. */
    public SeqRange {
        if (upTo < after) {
            throw new IllegalArgumentException("upTo %d is below after %d".formatted(upTo, after));
        }
    }

    /** Returns every row above {@code after}. */
    public static SeqRange above(long after) {
        return new SeqRange(after, Long.MAX_VALUE);
    }
}
