package dev.postrider.saga.testkit;

/**
 * What happens when the engine reaches a place for the first time after a function of a step has run.
 *
 * @param point a fault point of the engine, or {@link #INSIDE}
 * @param after the function that ran last
 */
record PointFault(String point, String after, Act act) {

    /** In the function itself, after its work. */
    static final String INSIDE = "inside";

    enum Act {
        /** The process is killed; another engine goes on when the claim has run out. */
        CRASH,
        /** The process stands still beyond its claim, another engine takes over, and then it goes on. */
        FREEZE,
        /** The step takes longer than the claim, and another engine tries to take over. */
        SLOW,
        /** An operator cancels the saga. */
        CANCEL,
        /** The deadline of the saga comes. */
        DEADLINE
    }

    boolean matches(String reached, String last) {
        return point.equals(reached) && after.equals(last);
    }

    /** Whether the saga should end as if nothing had happened. */
    boolean isInvisible() {
        return act == Act.CRASH || act == Act.FREEZE || act == Act.SLOW;
    }
}
