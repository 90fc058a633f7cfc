package dev.postrider.console.servlet;

import dev.postrider.console.Attachment;
import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the operators' API and pages below any path of a servlet container. Register it with asynchronous requests
 * supported, and call {@link #close} before the container waits for its open requests. Thread-safe.
 */
public final class ConsoleServlet extends HttpServlet implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final long serialVersionUID = 1;

    private static final String API = "/api/";
    private static final String EVENTS = "/api/v1/events";
    private static final String POLICY =
            "default-src 'self'; base-uri 'self'; form-action 'self'; object-src 'none';" + " frame-ancestors 'none'";
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "same-origin",
            "Cross-Origin-Opener-Policy", "same-origin");
    private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._~-]{1,100}){1,10}");
    private static final Pattern SOURCE = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final transient Function<ConsoleRequest, ConsoleResponse> api;
    private final transient CallerFinder callers;
    private final transient SessionRoutes sessions;
    private final transient EventStreams events;
    private final transient ConsolePages pages = new ConsolePages();

    /**
     * Takes the API and what knows the callers.
     *
     * @param signIn signs callers in and out; null if the application around the servlet does
     */
    public ConsoleServlet(
            Function<ConsoleRequest, ConsoleResponse> api, CallerFinder callers, @Nullable SignIn signIn) {
        this.api = Objects.requireNonNull(api, "api");
        this.callers = Objects.requireNonNull(callers, "callers");
        this.sessions = new SessionRoutes(callers, signIn);
        this.events = new EventStreams(api, Clock.systemUTC());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HEADERS.forEach(response::setHeader);
        try {
            if (!OriginCheck.passes(request)) {
                throw new RefusedRequestException(HttpProblem.of(
                        403, "not-permitted", "The request comes from a page of another origin", "Use the pages here"));
            }
            serve(request, response);
        } catch (RefusedRequestException e) {
            write(response, e.answer());
        } catch (RuntimeException e) {
            log.error("Could not answer {} {}", request.getMethod(), RequestReader.path(request), e);
            write(response, HttpProblem.of(500, "internal", "The server failed", "Look into the log of the server"));
        }
    }

    private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = RequestReader.path(request);
        if (!path.startsWith(API)) {
            page(request, response, path.substring(1));
            return;
        }
        Optional<ConsoleResponse> ofSession = sessions.answer(request, response, path);
        if (ofSession.isPresent()) {
            write(response, ofSession.get());
            return;
        }
        Caller caller = callers.caller(request).orElseThrow(() -> new RefusedRequestException(sessions.signedOut()));
        if (path.equals(EVENTS)) {
            events(request, response);
        } else {
            write(response, api.apply(RequestReader.read(request, caller)));
        }
    }

    private void events(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String source = RequestReader.query(request.getQueryString()).getOrDefault("source", List.of()).stream()
                .findFirst()
                .filter(name -> SOURCE.matcher(name).matches())
                .orElseThrow(() -> new RefusedRequestException(
                        HttpProblem.of(400, "bad-request", "The events have no source", "Add ?source=<name>")));
        ConsoleResponse first = events.overview(source);
        if (first.status() == HttpServletResponse.SC_NOT_FOUND) {
            throw new RefusedRequestException(first);
        }
        response.setContentType("text/event-stream");
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext context = request.startAsync();
        if (!events.open(source, context, first)) {
            write(
                    response,
                    HttpProblem.of(
                            503,
                            "too-many",
                            "Too many streams of events are open",
                            "Close some pages, or try again later"));
            context.complete();
        }
    }

    private void page(HttpServletRequest request, HttpServletResponse response, String path) throws IOException {
        boolean head = request.getMethod().equals("HEAD");
        if (!head && !request.getMethod().equals("GET")) {
            throw new RefusedRequestException(HttpProblem.of(405, "bad-request", "Pages can only be read", "Use GET"));
        }
        boolean screen = path.indexOf('.', path.lastIndexOf('/') + 1) < 0 || path.equals("index.html");
        ConsolePage page = screen
                ? pages.index(base(request))
                : pages.find(path)
                        .orElseThrow(() -> new RefusedRequestException(
                                HttpProblem.of(404, "not-found", "There is no such file", "Look at the address")));
        response.setHeader("ETag", page.tag());
        response.setHeader(
                "Cache-Control",
                !screen && ConsolePages.neverChanges(path) ? "public, max-age=31536000, immutable" : "no-cache");
        if (page.tag().equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(page.contentType());
        response.setContentLength(page.bytes().length);
        if (!head) {
            response.getOutputStream().write(page.bytes());
        }
    }

    // A proxy that serves the pages below a path of its own names it in a header.
    private static String base(HttpServletRequest request) {
        String prefix = request.getHeader("X-Forwarded-Prefix");
        boolean usable = prefix != null && PREFIX.matcher(prefix).matches();
        return (usable ? prefix : "") + RequestReader.mount(request);
    }

    private static void write(HttpServletResponse response, ConsoleResponse answer) throws IOException {
        response.setStatus(answer.status());
        response.setHeader("Cache-Control", "no-store");
        Attachment attachment = answer.attachment();
        if (attachment != null) {
            response.setContentType(answer.contentType());
            response.setHeader("Content-Disposition", "attachment; filename=\"" + attachment.fileName() + '"');
            // A payload may be a page; it must not run as one of this origin, even if a browser shows it.
            response.setHeader("Content-Security-Policy", "sandbox; default-src 'none'");
            attachment.content().writeTo(response.getOutputStream());
            return;
        }
        if (answer.body().isEmpty()) {
            return;
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setContentType(answer.contentType());
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Ends the streams of events and takes no more, so that they do not hold up a graceful stop. */
    @Override
    public void close() {
        events.close();
    }

    @Override
    public void destroy() {
        close();
    }
}
