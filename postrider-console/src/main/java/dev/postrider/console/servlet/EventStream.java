package dev.postrider.console.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One stream of events to a browser. It never blocks the thread that has the events: a browser that reads slowly gets
 * the newest event only, and one that does not read at all loses its stream. Thread-safe.
 */
final class EventStream implements WriteListener, AsyncListener {

    private static final int MOST_MISSED = 30;

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final Runnable atEnd;
    private byte @Nullable [] newest;
    private boolean started;
    private boolean written;
    private boolean ended;
    private int missed;

    EventStream(AsyncContext context, ServletOutputStream out, Runnable atEnd) {
        this.context = context;
        this.out = out;
        this.atEnd = atEnd;
    }

    /** Sends an event; it replaces one that could not be sent yet. */
    void send(byte[] event) {
        boolean lost;
        synchronized (this) {
            missed = newest == null ? 0 : missed + 1;
            newest = event;
            lost = missed > MOST_MISSED || !write();
        }
        if (lost) {
            end();
        }
    }

    @Override
    public void onWritePossible() {
        boolean lost;
        synchronized (this) {
            started = true;
            lost = !write();
        }
        if (lost) {
            end();
        }
    }

    // The container calls onWritePossible once it has answered isReady with false.
    private boolean write() {
        try {
            while (started && !ended && (newest != null || written) && out.isReady()) {
                if (written) {
                    written = false;
                    out.flush();
                } else if (newest != null) {
                    byte[] event = newest;
                    newest = null;
                    written = true;
                    out.write(event);
                }
            }
            return true;
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }

    /** Ends the stream; the browser connects again if it still wants events. */
    void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        atEnd.run();
        try {
            context.complete();
        } catch (IllegalStateException e) {
            // The container has completed it already.
            return;
        }
    }

    @Override
    public void onError(Throwable error) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
