package dev.postrider.console.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The last steps of a window, one point each. A step in which nothing was measured is a gap. Not thread-safe. */
final class SeriesWindow {

    private final long stepMillis;
    private final int size;
    private final Deque<Point> points = new ArrayDeque<>();

    /** What was measured in one step; rates are the mean of its looks, the age is the highest. */
    private static final class Point {

        private final long step;
        private final DelayBuckets delays = new DelayBuckets();
        private final Mean in = new Mean();
        private final Mean out = new Mean();
        private final Mean failed = new Mean();
        private @Nullable Long oldest;

        Point(long step) {
            this.step = step;
        }
    }

    private static final class Mean {

        private double sum;
        private int count;

        void add(@Nullable Double value) {
            if (value != null) {
                sum += value;
                count++;
            }
        }

        @Nullable Double value() {
            return count == 0 ? null : (Double) (Math.round(sum / count * 100) / 100.0);
        }
    }

    SeriesWindow(long stepMillis, int size) {
        this.stepMillis = stepMillis;
        this.size = size;
    }

    void add(long nowMillis, Measurement measured, DelayBuckets delays) {
        long step = nowMillis / stepMillis;
        Point last = points.peekLast();
        if (last == null || last.step < step) {
            last = new Point(step);
            points.addLast(last);
            while (points.size() > size) {
                points.removeFirst();
            }
        }
        last.in.add(measured.inPerSecond());
        last.out.add(measured.outPerSecond());
        last.failed.add(measured.failedPerSecond());
        Long oldest = measured.oldestMillis();
        if (oldest != null) {
            last.oldest = last.oldest == null ? oldest : (Long) Math.max(last.oldest, oldest);
        }
        last.delays.addAll(delays);
    }

    long stepMillis() {
        return stepMillis;
    }

    /** Returns when the window begins that ends now. */
    long fromMillis(long nowMillis) {
        return (nowMillis / stepMillis - size + 1) * stepMillis;
    }

    StatisticsView.Series series(long nowMillis) {
        return new StatisticsView.Series(
                values(nowMillis, point -> point.in.value()),
                values(nowMillis, point -> point.out.value()),
                values(nowMillis, point -> point.oldest),
                values(nowMillis, point -> point.delays.percentile(0.5)),
                values(nowMillis, point -> point.delays.percentile(0.95)),
                values(nowMillis, point -> point.delays.percentile(0.99)),
                values(nowMillis, point -> point.failed.value()));
    }

    private <T> List<@Nullable T> values(long nowMillis, Function<Point, @Nullable T> value) {
        long first = nowMillis / stepMillis - size + 1;
        List<@Nullable T> values = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            values.add(null);
        }
        for (Point point : points) {
            int index = (int) (point.step - first);
            if (index >= 0 && index < size) {
                values.set(index, value.apply(point));
            }
        }
        return values;
    }
}
