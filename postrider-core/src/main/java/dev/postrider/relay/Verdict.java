package dev.postrider.relay;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.time.Duration;

/** What the broker's answer means for a message. */
final class Verdict {

    private Verdict() {}

    static Settlement of(ClaimedMessage claimed, PublishResult result, RelayConfig config) {
        boolean holdsKey = config.blocksKey(claimed);
        return switch (result.kind()) {
            case ACKED -> Settlement.delivered(claimed);
            case REJECTED -> blamed(claimed, Outcome.DEAD, Duration.ZERO, result, holdsKey);
            case UNAVAILABLE -> throw new IllegalArgumentException("An unreachable broker is no outcome");
            case FAILED -> {
                RetryPolicy retry = config.retry(claimed);
                int limit = claimed.message().maxAttempts().orElse(retry.maxAttempts());
                yield claimed.attempt() >= limit
                        ? blamed(claimed, Outcome.DEAD, Duration.ZERO, result, holdsKey)
                        : blamed(claimed, Outcome.RETRY, delay(claimed, result, retry, config), result, holdsKey);
            }
        };
    }

    private static Settlement blamed(
            ClaimedMessage claimed, Outcome outcome, Duration delay, PublishResult result, boolean holdsKey) {
        String error = String.valueOf(result.error());
        return new Settlement(claimed, outcome, delay, error, holdsKey, result.failure(), Duration.ZERO, null);
    }

    private static Duration delay(ClaimedMessage claimed, PublishResult result, RetryPolicy retry, RelayConfig config) {
        Duration planned = retry.delayAfter(claimed.attempt(), config.random);
        return result.retryAfter().compareTo(planned) > 0 ? result.retryAfter() : planned;
    }
}
