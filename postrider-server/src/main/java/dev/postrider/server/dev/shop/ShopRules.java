package dev.postrider.server.dev.shop;

import java.util.Optional;

/** What happens to which order, by its number, so that each case comes up at a known rate. Thread-safe. */
final class ShopRules {

    private static final int ABANDONED = 25;
    private static final int CHECKOUT = 5;
    private static final int DECLINED = 30;
    private static final int UNSTEADY = 45;
    private static final int REFUSED = 50;
    private static final int INVOICED = 3;
    private static final int MAILED = 4;
    private static final int WITHOUT_ADDRESS = 148;

    private volatile boolean mayGetStuck;
    private volatile boolean mayBeParked;

    /** Says whether another saga may get stuck, and another message may be parked. */
    void allow(boolean stuck, boolean parked) {
        mayGetStuck = stuck;
        mayBeParked = parked;
    }

    /** Returns whether the customer walks away before the commit. */
    static boolean isAbandoned(long number) {
        return number % ABANDONED == 7;
    }

    /** Returns whether a saga runs the order. */
    static boolean isCheckout(long number) {
        return number % CHECKOUT == 0;
    }

    static String card(long number) {
        if (number % DECLINED == 0) {
            return CardNetwork.DECLINED;
        }
        return number % UNSTEADY == 5 ? CardNetwork.UNSTEADY : CardNetwork.FINE;
    }

    String carrier(long number) {
        return mayGetStuck && number % REFUSED == 35 ? Checkout.REFUSING : Checkout.RELIABLE;
    }

    static boolean isInvoiced(long number) {
        return number % INVOICED == 1;
    }

    /** Returns where the request for feedback goes, if there is one. */
    Optional<String> mail(long number) {
        if (mayBeParked && number % WITHOUT_ADDRESS == 28) {
            return Optional.of(ShopConsumers.NO_ADDRESS);
        }
        return number % MAILED == 1
                ? Optional.of("customer-%d@example.com".formatted(number % 1_000))
                : Optional.empty();
    }
}
