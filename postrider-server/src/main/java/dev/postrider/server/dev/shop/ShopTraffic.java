package dev.postrider.server.dev.shop;

import dev.postrider.OutboxMessage;
import dev.postrider.saga.DurableSaga;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The customers of the demo shop: places orders and takes them through payment and shipment at a given rate of messages
 * per second. Thread-safe.
 */
final class ShopTraffic implements AutoCloseable {

    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final int OPEN_ORDERS = 25;
    private static final int MICROS = 1_000;
    private static final long LONGEST_CATCH_UP = Duration.ofMillis(500).toNanos();
    private static final List<String> CUSTOMERS =
            List.of("Ada", "Blaise", "Carl", "Edsger", "Grace", "Hedy", "Katherine", "Leonhard", "Radia", "Sofia");

    private final ShopTill till;
    private final DurableSaga<CheckoutOrder> checkout;
    private final ShopRules rules;
    private final ShopCounts counts;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final SupervisedThread thread = new SupervisedThread("demo-shop", this::loop);
    private final Deque<Open> open = new ArrayDeque<>();
    private long lastId;
    private volatile int perSecond;
    private volatile boolean held;

    private record Open(Sale sale, long number, boolean paid) {}

    ShopTraffic(ShopTill till, DurableSaga<CheckoutOrder> checkout, ShopRules rules, ShopCounts counts, int perSecond) {
        this.till = till;
        this.checkout = checkout;
        this.rules = rules;
        this.counts = counts;
        this.perSecond = perSecond;
    }

    void start() {
        thread.start();
    }

    int perSecond() {
        return perSecond;
    }

    void perSecond(int value) {
        perSecond = value;
    }

    /** Lets customers wait, or come in again. */
    void hold(boolean value) {
        held = value;
    }

    /** Places an order with a message that no broker takes. */
    void poison() {
        till.poison(next());
    }

    private void loop() throws InterruptedException {
        double due = 0;
        long last = System.nanoTime();
        while (!stopping.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            due += perSecond
                    * Math.min(now - last, LONGEST_CATCH_UP)
                    / (double) Duration.ofSeconds(1).toNanos();
            last = now;
            while (due >= 1 && stopping.getCount() > 0) {
                due -= held ? due : serve();
            }
        }
    }

    /** Returns how many messages were enqueued. */
    private int serve() {
        Open next = open.size() < OPEN_ORDERS ? null : open.poll();
        if (next == null) {
            return arrive(next(), counts.placed.get() + counts.rolledBack.get());
        }
        if (!next.paid()) {
            int sent = till.pay(next.sale(), ShopRules.isInvoiced(next.number()));
            open.add(new Open(next.sale(), next.number(), true));
            return sent;
        }
        List<OutboxMessage> mails = rules.mail(next.number())
                .map(address -> List.of(till.messages().feedback(next.sale(), address)))
                .orElse(List.of());
        return till.ship(next.sale(), Checkout.RELIABLE, mails);
    }

    private int arrive(Sale sale, long number) {
        if (ShopRules.isAbandoned(number)) {
            till.abandon(sale);
            return 1;
        }
        if (ShopRules.isCheckout(number)) {
            CheckoutOrder order = CheckoutOrder.of(sale, ShopRules.card(number), rules.carrier(number));
            int sent = till.place(sale, connection -> {
                var unused = checkout.start(sale.key(), order, connection);
                return 0;
            });
            counts.sagas.incrementAndGet();
            return sent;
        }
        int sent = till.place(sale, connection -> 0);
        open.add(new Open(sale, number, false));
        return sent;
    }

    private synchronized Sale next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        lastId = Math.max(lastId + 1, Sale.firstIdAt(Instant.now()) + random.nextInt(MICROS));
        return new Sale(lastId, CUSTOMERS.get(random.nextInt(CUSTOMERS.size())), random.nextLong(100, 100_000));
    }

    /** Lets the transaction under way be the last one. */
    @Override
    public void close() {
        stopping.countDown();
        if (!thread.end(STOP)) {
            thread.interrupt();
        }
    }
}
