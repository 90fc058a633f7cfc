package dev.postrider.saga;

/** Whether a step is done or undone. */
public enum Direction {
    /** The step's action. */
    FORWARD("F"),
    /** The step's compensation. */
    COMPENSATION("C");

    private final String code;

    Direction(String code) {
        this.code = code;
    }

    /** Returns the letter in the rows. */
    String code() {
        return code;
    }

    static Direction of(String code) {
        for (Direction each : values()) {
            if (each.code.equals(code)) {
                return each;
            }
        }
        throw new IllegalArgumentException("There is no direction '%s'".formatted(code));
    }
}
