package dev.postrider.rabbitmq;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one channel has sent and the broker has not confirmed, by delivery tag. Tags begin at 1 and count up without
 * gaps, so a book belongs to one channel and is never used for the next. Thread-safe.
 */
final class TagBook<T> {

    private static final int FIRST_CAPACITY = 256;

    // A ring: the entry of a tag is at the tag modulo the length, which is a power of two.
    private @Nullable Object[] ring = new Object[FIRST_CAPACITY];
    private long oldest = 1;
    private long next = 1;
    private boolean closed;

    /** Gives the entry the next tag; returns false, and nothing is added, if the book is closed. */
    synchronized boolean add(T entry) {
        if (closed) {
            return false;
        }
        if (next - oldest == ring.length) {
            grow();
        }
        ring[index(next)] = entry;
        next++;
        return true;
    }

    /** Takes the last entry back because it was not sent after all: its tag goes to the next one. */
    synchronized void withdraw() {
        if (!closed) {
            next--;
            ring[index(next)] = null;
        }
    }

    /** Takes one entry out; null if the tag is unknown or was taken before. */
    synchronized @Nullable T take(long tag) {
        if (tag < oldest || tag >= next) {
            return null;
        }
        T entry = remove(tag);
        skipTaken();
        return entry;
    }

    /**
     * Takes out the entries of all tags up to this one, oldest first; tag 0 means all there are. Nothing is taken if
     * the tag was never given: such a confirm proves nothing.
     */
    synchronized List<T> takeThrough(long tag) {
        if (tag >= next || tag < 0) {
            return List.of();
        }
        return takeBelow(tag == 0 ? next : tag + 1);
    }

    /** Takes everything out, oldest first; from now on nothing can be added. */
    synchronized List<T> close() {
        closed = true;
        return takeBelow(next);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Returns the oldest entry that matches, without taking it; null if there is none. */
    synchronized @Nullable T find(Predicate<T> wanted) {
        for (long tag = oldest; tag < next; tag++) {
            T entry = at(tag);
            if (entry != null && wanted.test(entry)) {
                return entry;
            }
        }
        return null;
    }

    /** Returns the entry that has waited longest, without taking it; null if there is none. */
    synchronized @Nullable T oldest() {
        return oldest < next ? at(oldest) : null;
    }

    private List<T> takeBelow(long end) {
        List<T> taken = new ArrayList<>();
        for (long tag = oldest; tag < end; tag++) {
            T entry = remove(tag);
            if (entry != null) {
                taken.add(entry);
            }
        }
        skipTaken();
        return taken;
    }

    private void skipTaken() {
        while (oldest < next && ring[index(oldest)] == null) {
            oldest++;
        }
    }

    private @Nullable T remove(long tag) {
        T entry = at(tag);
        ring[index(tag)] = null;
        return entry;
    }

    @SuppressWarnings("unchecked")
    private @Nullable T at(long tag) {
        return (T) ring[index(tag)];
    }

    private int index(long tag) {
        return (int) (tag & (ring.length - 1));
    }

    private void grow() {
        @Nullable Object[] larger = new Object[ring.length * 2];
        for (long tag = oldest; tag < next; tag++) {
            larger[(int) (tag & (larger.length - 1))] = ring[index(tag)];
        }
        ring = larger;
    }
}
