package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import java.time.Duration;

/** What the broker's answer means for a message. */
final class Verdict {

    private Verdict() {}

    static Settlement of(ClaimedMessage claimed, PublishResult result, RelayConfig config) {
        String error = String.valueOf(result.error());
        boolean holdsKey = config.blocksKey(claimed);
        return switch (result.kind()) {
            case ACKED -> Settlement.delivered(claimed);
            case REJECTED -> Settlement.dead(claimed, error, holdsKey);
            case UNAVAILABLE -> Settlement.released(claimed);
            case FAILED -> {
                RetryPolicy retry = config.retry(claimed);
                int limit = claimed.message().maxAttempts().orElse(retry.maxAttempts());
                yield claimed.attempt() >= limit
                        ? Settlement.dead(claimed, error, holdsKey)
                        : Settlement.retry(claimed, delay(claimed, result, retry, config), error, holdsKey);
            }
        };
    }

    private static Duration delay(ClaimedMessage claimed, PublishResult result, RetryPolicy retry, RelayConfig config) {
        Duration planned = retry.delayAfter(claimed.attempt(), config.random);
        return result.retryAfter().compareTo(planned) > 0 ? result.retryAfter() : planned;
    }
}
