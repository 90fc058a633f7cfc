package dev.postrider.services;

/** Whether a service can be started on this machine and, if not, why and what to do about it. */
public record Availability(boolean available, String reason) {

    static Availability yes() {
        return new Availability(true, "");
    }

    static Availability no(String reason) {
        return new Availability(false, reason);
    }
}
