package dev.postrider.http;

import dev.postrider.spi.PublishResult;

/**
 * What became of a request.
 *
 * @param result what the relay is told
 * @param host what it says about the host
 */
record RequestOutcome(PublishResult result, Host host) {

    /** What a request says about its host. */
    enum Host {
        /** It answers. */
        WELL,
        /** It cannot be reached, does not answer or asks to be left alone. */
        IN_TROUBLE,
        /** It was not asked. */
        UNKNOWN
    }

    static RequestOutcome unasked(PublishResult result) {
        return new RequestOutcome(result, Host.UNKNOWN);
    }

    static RequestOutcome trouble(PublishResult result) {
        return new RequestOutcome(result, Host.IN_TROUBLE);
    }
}
