package dev.postrider.verification.simulator;

/** Follows one history fact by fact and reports what must not be. */
interface Rule {

    void follow(Fact fact);
}
