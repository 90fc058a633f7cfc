package dev.postrider.alert;

/**
 * Sends alerts to people, for example to a chat or a pager. {@link #send} returns when the receiver has taken the alert
 * and throws otherwise; it may block for a bounded time. Implementations are thread-safe. They keep their address,
 * which is often a secret, out of exceptions and logs.
 */
@FunctionalInterface
public interface AlertSender {

    /**
     * Sends one alert.
     *
     * @throws RuntimeException if the receiver did not take the alert
     */
    void send(Alert alert);
}
