package dev.postrider.server.dev.shop;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the demo shop does. Thread-safe. */
final class ShopCounts {

    final AtomicLong placed = new AtomicLong();
    final AtomicLong rolledBack = new AtomicLong();
    final AtomicLong enqueued = new AtomicLong();
    final AtomicLong handled = new AtomicLong();
    final AtomicLong outOfOrder = new AtomicLong();
    final AtomicLong sagas = new AtomicLong();

    ShopFigures figures() {
        return new ShopFigures(
                placed.get(), rolledBack.get(), enqueued.get(), handled.get(), outOfOrder.get(), sagas.get());
    }
}
