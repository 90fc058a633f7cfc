package dev.postrider.spring.boot.console;

import dev.postrider.console.servlet.ConsoleServlet;
import org.springframework.context.SmartLifecycle;

/** Ends the streams of events before the web server waits for its open requests. Thread-safe. */
public final class ConsoleStreamsEnd implements SmartLifecycle {

    private final ConsoleServlet servlet;
    private volatile boolean running;

    /** Takes the servlet that has the streams. */
    public ConsoleStreamsEnd(ConsoleServlet servlet) {
        this.servlet = servlet;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        servlet.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The first to stop; a web server stops its requests at Integer.MAX_VALUE - 1024. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** A servlet that was closed takes no more streams, so a paused test context keeps it. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
