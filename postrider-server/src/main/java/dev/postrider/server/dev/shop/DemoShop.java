package dev.postrider.server.dev.shop;

import dev.postrider.all.Postrider;
import dev.postrider.inbox.InboxListener;
import dev.postrider.saga.SagaEngine;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * An application with orders, payments, invoices and shipments that never rests. Its transactions write business rows
 * and messages; some are rolled back, some orders are sagas, some messages are delayed or poison. What it stores stays
 * bounded. Thread-safe.
 */
public final class DemoShop implements AutoCloseable {

    /** The most messages per second. */
    public static final int HIGHEST_RATE = 1_000;

    private static final int MOST_DEAD = 1_000;

    private final Postrider postrider;
    private final ShopCounts counts = new ShopCounts();
    private final ShopTables tables;
    private final SagaEngine engine;
    private final ShopTraffic traffic;
    private final ShopKeeper keeper;

    /**
     * Makes the shop; nothing happens before {@link #start}.
     *
     * @param committed called after each commit, so that relays of this process need not wait for their next look
     * @param perSecond how many messages customers cause, from 0 to {@value #HIGHEST_RATE}
     * @param keep how long orders are kept
     */
    public DemoShop(DataSource dataSource, Postrider postrider, Runnable committed, int perSecond, Duration keep) {
        this.postrider = postrider;
        this.tables = new ShopTables(dataSource);
        ShopTill till = new ShopTill(dataSource, postrider, counts, committed);
        ShopRules rules = new ShopRules();
        var checkout = new Checkout(till).definition();
        this.engine = postrider.sagas().register(checkout).build();
        this.traffic = new ShopTraffic(till, engine.saga(checkout), rules, counts, checkedRate(perSecond));
        this.keeper = new ShopKeeper(postrider, traffic, rules, counts, tables, keep);
    }

    /** Creates the shop's tables, unless they are there. */
    public void createTables() {
        tables.create();
    }

    /** Opens the doors. The tables of shop, outbox, inbox and sagas must be there. */
    public DemoShop start() {
        engine.start();
        traffic.start();
        keeper.start();
        return this;
    }

    /** Returns the parts of the shop that receive messages, to be connected to a broker. */
    public List<ShopConsumer> consumers() {
        return new ShopConsumers(counts).all();
    }

    /** Returns what counts the effects of messages, for the inbox that its consumers use. */
    public InboxListener listener() {
        return new ShopConsumers(counts).listener();
    }

    /** Returns how many messages per second customers cause. */
    public int perSecond() {
        return traffic.perSecond();
    }

    /** Sets how many messages per second customers cause, from 0 to {@value #HIGHEST_RATE}. */
    public void perSecond(int value) {
        traffic.perSecond(checkedRate(value));
    }

    /** Returns whether the shop sends a poison message now and then. */
    public boolean poisonous() {
        return keeper.poisonous();
    }

    /** Sets whether the shop sends a poison message now and then. */
    public void poisonous(boolean value) {
        keeper.poisonous(value);
    }

    /**
     * Sends a poison message now.
     *
     * @return false if there are so many dead messages that one more would not be noticed
     */
    public boolean poison() {
        if (postrider.admin().stats().dead() >= MOST_DEAD) {
            return false;
        }
        traffic.poison();
        return true;
    }

    /** Returns what the shop has done. */
    public ShopFigures figures() {
        return counts.figures();
    }

    /** Closes the doors to customers; sagas under way go on. */
    public void closeDoors() {
        traffic.close();
        keeper.close();
    }

    /** Ends the shop. */
    @Override
    public void close() {
        closeDoors();
        engine.close();
    }

    private static int checkedRate(int perSecond) {
        if (perSecond < 0 || perSecond > HIGHEST_RATE) {
            throw new IllegalArgumentException("The rate must be between 0 and %d messages per second but was %d"
                    .formatted(HIGHEST_RATE, perSecond));
        }
        return perSecond;
    }
}
