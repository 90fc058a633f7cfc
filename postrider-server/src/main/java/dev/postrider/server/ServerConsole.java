package dev.postrider.server;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleSource;
import dev.postrider.server.source.SourceContexts;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** The API over the sources that run: built after them, gone before them. Thread-safe. */
public final class ServerConsole implements SmartLifecycle {

    // Between the sources and the web server, whose phase is Integer.MAX_VALUE - 2048.
    private static final int PHASE = Integer.MAX_VALUE - 3584;
    private static final ConsoleResponse STARTING = new ConsoleResponse(503, ConsoleResponse.PROBLEM, """
            {"type":"about:blank","title":"The server starts or stops","status":503,"code":"unavailable",\
            "do":"Try again in a few seconds"}""");

    private final SourceContexts sources;
    private volatile @Nullable ConsoleApi api;

    ServerConsole(SourceContexts sources) {
        this.sources = sources;
    }

    /** Answers a request. */
    public ConsoleResponse handle(ConsoleRequest request) {
        ConsoleApi running = api;
        return running == null ? STARTING : running.handle(request);
    }

    /** Returns the API, or null while the server starts or stops. */
    public @Nullable ConsoleApi api() {
        return api;
    }

    @Override
    public void start() {
        api = ConsoleApi.of(sources.all().stream()
                        .flatMap(source -> source.bean(ConsoleSource.class).stream())
                        .toList())
                .start();
    }

    @Override
    public void stop() {
        ConsoleApi ending = api;
        api = null;
        if (ending != null) {
            ending.close();
        }
    }

    @Override
    public boolean isRunning() {
        return api != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
