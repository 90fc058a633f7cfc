package dev.postrider.console.servlet;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends the overview of a source to the browsers that look at it, once a second. All streams of a source share one
 * request to the API, and without a stream there is none. Thread-safe.
 */
final class EventStreams {

    /** More than this many browsers at a time get an error. */
    static final int MOST_STREAMS = 64;

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int THREADS = 2;
    private static final int TICKS_TO_PING = 15;

    // The caller of each stream was found before it began; what they see is the same for all.
    private static final Caller READER = new Caller("events", ConsoleRole.VIEWER);

    private final Function<ConsoleRequest, ConsoleResponse> api;
    private final Clock clock;
    private final Map<String, Watched> watched = new LinkedHashMap<>();
    private @Nullable ScheduledExecutorService ticker;
    private boolean closed;

    EventStreams(Function<ConsoleRequest, ConsoleResponse> api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    /** Asks for the overview; a source that does not exist answers with an error. */
    ConsoleResponse overview(String source) {
        return api.apply(new ConsoleRequest("GET", "/api/v1/sources/" + source + "/overview", Map.of(), "", READER));
    }

    /** Begins a stream if there is room for it. The first event goes out at once. */
    boolean open(String source, AsyncContext context, ConsoleResponse first) throws IOException {
        EventStream stream;
        synchronized (this) {
            if (closed || count() >= MOST_STREAMS) {
                return false;
            }
            Watched of = watched.computeIfAbsent(source, name -> new Watched());
            EventStream[] self = new EventStream[1];
            stream = new EventStream(context, context.getResponse().getOutputStream(), () -> gone(source, self[0]));
            self[0] = stream;
            of.streams.add(stream);
            if (of.tick == null) {
                of.tick = ticker().scheduleWithFixedDelay(() -> tick(source, of), 1, 1, TimeUnit.SECONDS);
            }
        }
        context.setTimeout(LONGEST.toMillis());
        context.addListener(stream);
        stream.send(event(first));
        context.getResponse().getOutputStream().setWriteListener(stream);
        return true;
    }

    private int count() {
        return watched.values().stream().mapToInt(each -> each.streams.size()).sum();
    }

    private ScheduledExecutorService ticker() {
        if (ticker == null) {
            ScheduledThreadPoolExecutor made =
                    (ScheduledThreadPoolExecutor) Executors.newScheduledThreadPool(THREADS, work -> {
                        Thread thread = new Thread(work, "postrider-console-events");
                        thread.setDaemon(true);
                        return thread;
                    });
            made.setRemoveOnCancelPolicy(true);
            ticker = made;
        }
        return ticker;
    }

    private void tick(String source, Watched of) {
        try {
            byte[] event = event(overview(source));
            of.ticks++;
            byte[] sent = of.ticks % TICKS_TO_PING == 0 ? joined(event, frame("ping", "{}")) : event;
            List.copyOf(of.streams).forEach(stream -> stream.send(sent));
        } catch (RuntimeException e) {
            // A tick that throws would be the last one.
            log.warn("Could not send the overview of source {}", source, e);
        }
    }

    private byte[] event(ConsoleResponse response) {
        if (response.status() != 200) {
            return frame("problem", response.body());
        }
        try {
            if (JSON.readTree(response.body()) instanceof ObjectNode overview) {
                if (!overview.has("at")) {
                    overview.put(
                            "at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
                }
                return frame("overview", overview.toString());
            }
        } catch (JacksonException e) {
            log.debug("The overview is no JSON", e);
        }
        return frame("problem", "{}");
    }

    private static byte[] frame(String event, String data) {
        String oneLine = data.replace('\n', ' ').replace('\r', ' ');
        return ("event: " + event + "\ndata: " + oneLine + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private synchronized void gone(String source, EventStream stream) {
        Watched of = watched.get(source);
        if (of == null) {
            return;
        }
        of.streams.remove(stream);
        if (of.streams.isEmpty()) {
            if (of.tick != null) {
                of.tick.cancel(false);
            }
            watched.remove(source);
        }
    }

    /** Ends all streams and takes no more. */
    void close() {
        List<EventStream> open;
        ScheduledExecutorService ending;
        synchronized (this) {
            closed = true;
            open = watched.values().stream()
                    .flatMap(each -> each.streams.stream())
                    .toList();
            ending = ticker;
            ticker = null;
        }
        open.forEach(EventStream::end);
        if (ending != null) {
            ending.shutdownNow();
        }
    }

    /** The streams of one source. */
    private static final class Watched {

        private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
        private @Nullable ScheduledFuture<?> tick;
        private int ticks;
    }
}
