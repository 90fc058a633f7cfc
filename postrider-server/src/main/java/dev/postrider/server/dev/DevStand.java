package dev.postrider.server.dev;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.admin.OutboxStats;
import dev.postrider.all.Postrider;
import dev.postrider.inbox.Horizon;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.server.dev.shop.DemoShop;
import dev.postrider.server.dev.shop.ShopFigures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that {@code dev} runs, without the server: a database with all tables, a broker, two relays and the demo
 * shop. Thread-safe.
 */
final class DevStand implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DevStand.class);

    private static final String NAMESPACE = "shop";
    private static final int RELAYS = 2;
    private static final int SHOP_CONNECTIONS = 12;
    private static final int CONSOLE_CONNECTIONS = 4;
    private static final int PARK_AFTER = 3;
    private static final Duration LAST_DELIVERIES = Duration.ofSeconds(5);
    private static final long LOOK_EVERY_MILLIS = 50;

    private final DevDatabase database;
    private final HikariDataSource consolePool;
    private final Postrider postrider;
    private final DevLink link;
    private final DevDeliveries deliveries = new DevDeliveries();
    private final DevRelays relays;
    private final @Nullable DevKeeper keeper;
    private final @Nullable DemoShop shop;

    /**
     * Puts everything together and creates missing tables; nothing moves before {@link #start}.
     *
     * @param listeners told what the relays do
     */
    DevStand(DevSettings settings, DevDatabase database, DevLink link, List<RelayListener> listeners) {
        this.database = database;
        this.link = link;
        HikariDataSource pool = database.pool("shop", SHOP_CONNECTIONS);
        this.consolePool = database.pool("console", CONSOLE_CONNECTIONS);
        this.postrider = Postrider.on(pool).namespace(NAMESPACE).build();
        boolean mine = database.temporary() || !hasTables();
        postrider.migrate();
        this.relays = new DevRelays(
                database,
                link.publisher(),
                Stream.concat(Stream.of(deliveries), listeners.stream()).toList());
        this.shop = settings.demo()
                ? new DemoShop(pool, postrider, relays::wake, settings.perSecond(), DevKeeper.LONGEST)
                : null;
        this.keeper = mine ? new DevKeeper(postrider, inbox(new InboxListener() {}), this::perSecond) : null;
    }

    // Rows of an outbox that was there before are someone's data and never removed.
    private boolean hasTables() {
        try {
            postrider.validate();
            return true;
        } catch (RuntimeException e) {
            log.debug("The database has no tables yet", e);
            return false;
        }
    }

    private JdbcInbox inbox(InboxListener listener) {
        return postrider
                .inbox()
                .listener(listener)
                .parkAfter(PARK_AFTER)
                .retention(DevKeeper.LONGEST)
                .horizon(Horizon.PROCESS)
                .build();
    }

    /** Starts consumers, relays and the shop, in this order: the consumers make queues and topics that are missing. */
    DevStand start() {
        if (shop != null) {
            shop.createTables();
            JdbcInbox inbox = inbox(shop.listener());
            shop.consumers().forEach(each -> link.connect(each, inbox));
        }
        for (int i = 0; i < RELAYS; i++) {
            relays.start();
        }
        if (shop != null) {
            shop.start();
        }
        if (keeper != null) {
            keeper.start();
        }
        return this;
    }

    /** The pool of the API and the pages. */
    HikariDataSource consolePool() {
        return consolePool;
    }

    /** A handle on the console's pool. */
    Postrider console() {
        return Postrider.on(consolePool).namespace(NAMESPACE).build();
    }

    DevLink link() {
        return link;
    }

    DevRelays relays() {
        return relays;
    }

    List<Relay> running() {
        return relays.all();
    }

    Optional<DemoShop> shop() {
        return Optional.ofNullable(shop);
    }

    private int perSecond() {
        return shop == null ? DevSettings.PER_SECOND : shop.perSecond();
    }

    /** Stops the shop, lets the relays deliver what is due, and returns what was done. */
    DevReport stop() {
        if (shop != null) {
            shop.close();
        }
        awaitDelivered();
        relays.close();
        OutboxStats stats = postrider.admin().stats();
        link.close();
        ShopFigures figures = shop == null ? null : shop.figures();
        return new DevReport(deliveries.delivered(), deliveries.dead(), stats.pending() + stats.waiting(), figures);
    }

    private void awaitDelivered() {
        long deadline = System.nanoTime() + LAST_DELIVERIES.toNanos();
        try {
            while (System.nanoTime() < deadline
                    && !link.broken()
                    && !relays.all().isEmpty()
                    && (postrider.admin().stats().pending() > 0 || link.lag() > 0)) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the database; to be called after {@link #stop}. */
    @Override
    public void close() {
        if (keeper != null) {
            keeper.close();
        }
        database.close();
    }
}
