package dev.postrider.server.dev;

import dev.postrider.server.dev.shop.ShopFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code dev} has to say when it ends.
 *
 * @param delivered messages that the broker has acknowledged
 * @param dead messages that were given up
 * @param left messages that are not delivered
 * @param shop what the demo shop has done; null without it
 */
record DevReport(
        long delivered, long dead, long left, @Nullable ShopFigures shop) {

    /** Returns the lines for a terminal. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(text("Delivered %,d messages; %,d dead, %,d left.", delivered, dead, left));
        if (shop != null) {
            lines.add(text(
                    "The shop placed %,d orders and rolled back %,d; %,d messages were handled once each, %,d out of order.",
                    shop.placed(), shop.rolledBack(), shop.handled(), shop.outOfOrder()));
        }
        return lines;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
