package dev.postrider.http;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.utils.DateUtils;
import org.jspecify.annotations.Nullable;

/** What each status means for a message, and for the host that answered it. Immutable. */
final class StatusTable {

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");
    private static final Pattern LOCATION_HOST = Pattern.compile("(?i)https?://([a-z0-9.-]+)(:[0-9]*)?([/?#].*)?");

    private final String endpoint;
    private final Set<Integer> successes;
    private final Duration maxRetryAfter;
    private final Clock clock;

    StatusTable(String endpoint, Set<Integer> successes, Duration maxRetryAfter, Clock clock) {
        this.endpoint = endpoint;
        this.successes = Set.copyOf(successes);
        this.maxRetryAfter = maxRetryAfter;
        this.clock = clock;
    }

    /** Judges a response by its status and two of its headers. */
    RequestOutcome outcome(int status, @Nullable String retryAfter, @Nullable String location) {
        PublishResult.Kind kind = kind(status);
        PublishResult result = switch (kind) {
            case ACKED -> PublishResult.acked();
            case REJECTED -> blamed(kind, text(status, location), Duration.ZERO);
            case FAILED -> blamed(kind, text(status, location), wait(retryAfter));
            case UNAVAILABLE -> PublishResult.unavailable(text(status, location), wait(retryAfter));
        };
        boolean overloaded = kind == PublishResult.Kind.UNAVAILABLE && isOverload(status);
        return new RequestOutcome(result, overloaded ? RequestOutcome.Host.IN_TROUBLE : RequestOutcome.Host.WELL);
    }

    // The status tells one failure from another, although it is a number.
    private static PublishResult blamed(PublishResult.Kind kind, String text, Duration retryAfter) {
        return new PublishResult(kind, text, retryAfter, ErrorText.clean(text));
    }

    private PublishResult.Kind kind(int status) {
        if ((status >= 200 && status < 300) || successes.contains(status)) {
            return PublishResult.Kind.ACKED;
        }
        if (status < 200) {
            return PublishResult.Kind.FAILED;
        }
        if (status < 400) {
            return PublishResult.Kind.UNAVAILABLE;
        }
        return switch (status) {
            case 401, 403, 404, 407, 429, 502, 503, 504 -> PublishResult.Kind.UNAVAILABLE;
            // By the rules of Idempotency-Key a conflict means that an earlier attempt is still being worked on.
            case 408, 409, 425 -> PublishResult.Kind.FAILED;
            default -> status < 500 ? PublishResult.Kind.REJECTED : PublishResult.Kind.FAILED;
        };
    }

    private static boolean isOverload(int status) {
        return status == 429 || status == 502 || status == 503 || status == 504;
    }

    private String text(int status, @Nullable String location) {
        return "HTTP %d from %s%s".formatted(status, endpoint, advice(status, location));
    }

    private static String advice(int status, @Nullable String location) {
        if (status >= 300 && status < 400) {
            return ": redirects%s are not followed; set the endpoint to the final URL".formatted(host(location));
        }
        return switch (status) {
            case 401, 403 -> ": it does not accept our credentials; correct the authorization";
            case 404 -> ": it does not know the path; correct the endpoint, or wait until the receiver is there";
            case 407 -> ": a proxy on the way asks for credentials";
            case 409 -> ": conflict; if it means 'had that already', add 409 to successStatuses";
            case 413 -> ": the message is too large for it";
            default -> "";
        };
    }

    private static String host(@Nullable String location) {
        Matcher matcher = LOCATION_HOST.matcher(location == null ? "" : location);
        return matcher.matches() && Endpoint.isName(matcher.group(1)) ? " to " + matcher.group(1) : "";
    }

    private Duration wait(@Nullable String retryAfter) {
        Duration wait = retryAfter == null ? Duration.ZERO : parsed(retryAfter.strip());
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(maxRetryAfter) > 0 ? maxRetryAfter : wait;
    }

    private Duration parsed(String retryAfter) {
        if (SECONDS.matcher(retryAfter).matches()) {
            return Duration.ofSeconds(Long.parseLong(retryAfter));
        }
        Instant until = DateUtils.parseStandardDate(retryAfter);
        return until == null ? Duration.ZERO : Duration.between(clock.instant(), until);
    }
}
