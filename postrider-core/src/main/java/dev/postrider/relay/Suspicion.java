package dev.postrider.relay;

/** How likely a message is what kills the process, judged by the claims on it that ended without an outcome. */
enum Suspicion {
    /** Sent with all others. */
    NONE,
    /** Sent with a group of suspects and nothing else: a death of the process leaves only this group suspect. */
    GROUP,
    /** Sent alone and marked before: if the process dies, this message is quarantined. */
    ALONE
}
