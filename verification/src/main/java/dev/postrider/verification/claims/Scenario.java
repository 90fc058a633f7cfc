package dev.postrider.verification.claims;

/** What is in the table beside the messages that are fetched. */
enum Scenario {
    FEW("1,000 pending", 0, 0, 0, false),
    MANY("1,000,000 pending", 1_000_000, 0, 0, false),
    HISTORY("1,000 pending, 1,000,000 delivered", 0, 1_000_000, 0, false),
    RETRIES("1,000 pending, 100,000 waiting for retry", 0, 0, 100_000, false),
    HELD("1,000 pending, a transaction held open", 0, 0, 0, true);

    final String title;
    final int pending;
    final int delivered;
    final int waiting;
    final boolean heldTransaction;

    Scenario(String title, int pending, int delivered, int waiting, boolean heldTransaction) {
        this.title = title;
        this.pending = pending;
        this.delivered = delivered;
        this.waiting = waiting;
        this.heldTransaction = heldTransaction;
    }
}
