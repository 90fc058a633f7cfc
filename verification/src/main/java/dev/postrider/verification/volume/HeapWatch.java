package dev.postrider.verification.volume;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * How much heap is in use after collections, at most, above what was in use at the beginning. Garbage in the old
 * generation counts until it is collected, so the figure is rather too high than too low.
 */
final class HeapWatch implements AutoCloseable {

    private static final double MEGABYTE = 1 << 20;

    private final Set<String> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toUnmodifiableSet());
    private final AtomicLong most = new AtomicLong();
    private final NotificationListener listener = this::collected;
    private final long baseline;

    HeapWatch() {
        // Twice: what the first one only made unreachable is gone with the second.
        collect();
        collect();
        baseline = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
        }
    }

    private void collected(Notification notification, Object handback) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long used = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo()
                    .getMemoryUsageAfterGc()
                    .entrySet()
                    .stream()
                    .filter(pool -> heap.contains(pool.getKey()))
                    .map(Map.Entry::getValue)
                    .mapToLong(usage -> usage.getUsed())
                    .sum();
            most.accumulateAndGet(used, Math::max);
        }
    }

    /** Makes sure that there is something to see. */
    void collect() {
        System.gc();
    }

    /** In megabytes, after collections. */
    record Figures(double atTheBeginning, double atMost) {
        double growth() {
            return Math.max(0, atMost - atTheBeginning);
        }
    }

    Figures figures() {
        return new Figures(baseline / MEGABYTE, most.get() / MEGABYTE);
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            try {
                ((NotificationEmitter) collector).removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
