package dev.postrider.benchmarks.contest.arena;

/** Puts messages into a contender's outbox the way an application would, only many in one transaction. */
public final class Filling {

    private static final int TRANSACTION = 500;

    private Filling() {}

    public static void fill(Contender contender, Cargo cargo, int messages) throws Exception {
        for (int from = 0; from < messages; from += TRANSACTION) {
            int first = from;
            int end = Math.min(from + TRANSACTION, messages);
            contender.transaction(transaction -> {
                for (int number = first; number < end; number++) {
                    transaction.enqueue(number, cargo.key(number), Cargo.payload(number));
                }
            });
        }
    }
}
