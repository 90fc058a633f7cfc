package dev.postrider.verification.simulator;

/** Unwinds whatever a process was doing when it died. An error, so that only a relay's send step catches it. */
final class ProcessDied extends Error {

    private static final long serialVersionUID = 1;

    ProcessDied() {
        super("The process died", null, false, false);
    }
}
