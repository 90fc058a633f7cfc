package dev.postrider.saga.testkit;

/** What somebody may have done wrong, in which scenario it shows, and what is said about it. */
enum Bug {
    NONE("", ""),
    FORGETFUL_COMPENSATION("'confirm' fails and all is undone", "is COMPENSATED but its effects are [reserved, 0]"),
    OWN_CONNECTION("crash at saga.step.acted after reserve", "effects are [reserved, reserved, 1]"),
    ONLY_THE_FIRST_ATTEMPT("'reserve' fails once", "is COMPLETED but its effects are [1]"),
    SWALLOWED_ERROR("statement 1 of 'reserve' fails", "was swallowed by [reserve]"),
    MESSAGE_ELSEWHERE("crash inside reserve", "4 messages were enqueued, but 3 without the fault"),
    NO_IDEMPOTENCY_KEY("crash at saga.external.called after charge", "effects are [reserved, 2]"),
    REFUND_TWICE("'undo charge' fails once after its work", "is COMPENSATED but its effects are [-1]"),
    REFUND_OF_NOTHING("'charge' fails always", "The saga is STUCK"),
    LATE_CHARGE(
            "freeze at saga.external.started after reserve, when 'confirm' fails and all is undone",
            "is COMPENSATED but its effects are [1]"),
    LOSSY_CODEC("no fault", "look at the codec");

    private final String scenario;
    private final String complaint;

    Bug(String scenario, String complaint) {
        this.scenario = scenario;
        this.complaint = complaint;
    }

    String scenario() {
        return scenario;
    }

    String complaint() {
        return complaint;
    }
}
