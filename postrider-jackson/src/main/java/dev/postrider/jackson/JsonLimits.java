package dev.postrider.jackson;

/**
 * How large a JSON text may be, both when it is written and when it is read. Immutable.
 *
 * @param maxBytes in UTF-8, default 1,000,000, at most 16 MiB
 * @param maxDepth how deep objects and arrays may be inside each other, default 100, at most 1,000
 */
public record JsonLimits(int maxBytes, int maxDepth) {

    private static final int DEFAULT_BYTES = 1_000_000;
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int DEFAULT_DEPTH = 100;
    private static final int DEEPEST = 1_000;

    /** Refuses limits that limit nothing. */
    public JsonLimits {
        if (maxBytes < 1 || maxBytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "maxBytes must be between 1 and %d but was %d".formatted(MOST_BYTES, maxBytes));
        }
        if (maxDepth < 1 || maxDepth > DEEPEST) {
            throw new IllegalArgumentException(
                    "maxDepth must be between 1 and %d but was %d".formatted(DEEPEST, maxDepth));
        }
    }

    /** Returns 1,000,000 bytes and a depth of 100. */
    public static JsonLimits defaults() {
        return new JsonLimits(DEFAULT_BYTES, DEFAULT_DEPTH);
    }

    /** Returns these limits with another size. */
    public JsonLimits withMaxBytes(int bytes) {
        return new JsonLimits(bytes, maxDepth);
    }

    /** Returns these limits with another depth. */
    public JsonLimits withMaxDepth(int depth) {
        return new JsonLimits(maxBytes, depth);
    }
}
