package dev.postrider.alert;

/**
 * Brings alerts to people. {@link #send} returns when the alert has been taken and throws when it was not; it may block
 * for a bounded time. Implementations are thread-safe and keep their address, which is often a secret, out of
 * exceptions and logs.
 */
@FunctionalInterface
public interface AlertSender {

    /**
     * Sends one alert.
     *
     * @throws RuntimeException if nobody was told
     */
    void send(Alert alert);
}
