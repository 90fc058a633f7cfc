package dev.postrider.console.message;

import dev.postrider.MessageStatus;
import dev.postrider.admin.BlockedKey;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.CappedCount;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Shows keys whose messages wait behind one that does not succeed. */
public final class KeyRoutes {

    private static final int DEFAULT_LIMIT = 100;
    private static final int CAP = 10_000;

    /** A key that cannot go on. */
    record BlockedKeyView(
            String namespace,
            String topic,
            String key,
            UUID blockedBy,
            MessageStatus status,
            CappedCount waiting,
            @Nullable String error) {

        static BlockedKeyView of(BlockedKey key) {
            return new BlockedKeyView(
                    key.topic().namespace(),
                    key.topic().topic(),
                    key.key(),
                    key.blockedBy(),
                    key.status(),
                    CappedCount.of(key.waiting(), CAP),
                    key.error());
        }
    }

    /** The keys that cannot go on. */
    record BlockedKeys(List<BlockedKeyView> items) {}

    private KeyRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/keys/blocked",
                                BlockedKeys.class,
                                "Lists keys whose messages wait behind one that does not succeed.")
                        .query(RouteField.integer("limit", 1, 500, "How many keys at most. Default 100.")),
                KeyRoutes::blocked);
    }

    private static Object blocked(Exchange exchange) {
        return new BlockedKeys(
                exchange
                        .source()
                        .postrider()
                        .admin()
                        .blockedKeys(exchange.integer("limit").orElse(DEFAULT_LIMIT))
                        .stream()
                        .map(BlockedKeyView::of)
                        .toList());
    }
}
