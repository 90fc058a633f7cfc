package dev.postrider.saga;

/** How a saga runs, and the letter in its row. */
enum SagaMode {
    /** All steps in one transaction. */
    ATOMIC("A"),
    /** Each step in a transaction of its own, with a journal. */
    DURABLE("D");

    private final String code;

    SagaMode(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }

    static SagaMode of(String code) {
        return code.equals(ATOMIC.code) ? ATOMIC : DURABLE;
    }
}
