package dev.postrider.server.dev.shop;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The system outside the shop that authorises payments. It remembers the last authorisations by their idempotency key.
 * Thread-safe.
 */
final class CardNetwork {

    /** A card that the bank declines. */
    static final String DECLINED = "**** 0002";

    /** A card whose first authorisation breaks off. */
    static final String UNSTEADY = "**** 0019";

    /** A card that is fine. */
    static final String FINE = "**** 4242";

    private static final int MOST = 10_000;

    private final Map<String, String> authorisations = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    /** The bank says no, and would say so again. */
    static final class DeclinedException extends Exception {

        DeclinedException(String card) {
            super("The card %s was declined".formatted(card));
        }
    }

    /** Returns the number of the authorisation; the same one for the same key. */
    synchronized String authorise(String key, String card, int attempt) throws DeclinedException, IOException {
        if (card.equals(DECLINED)) {
            throw new DeclinedException(card);
        }
        if (card.equals(UNSTEADY) && attempt == 1) {
            throw new IOException("The connection to the bank broke off");
        }
        return authorisations.computeIfAbsent(key, k -> "auth-" + k.substring(Math.max(0, k.length() - 8)));
    }

    /** Finds an authorisation that may have been made. */
    synchronized Optional<String> find(String key) {
        return Optional.ofNullable(authorisations.get(key));
    }

    /** Gives the money back; there may be nothing to give back. */
    synchronized void release(String key) {
        authorisations.remove(key);
    }
}
