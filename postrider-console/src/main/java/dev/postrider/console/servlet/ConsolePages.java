package dev.postrider.console.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the pages, which the jar contains. They are read once; there are only as many as the jar has. */
final class ConsolePages {

    private static final String FOLDER = "META-INF/postrider/console/";
    private static final String INDEX = "index.html";
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final Pattern HASHED = Pattern.compile("assets/.*[-.][A-Za-z0-9_-]{8,}\\.[a-z0-9]+");
    private static final Pattern BASE = Pattern.compile("<base\\s+href=\"[^\"]*\"\\s*/?>");
    private static final Pattern HEAD = Pattern.compile("<head>");
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("webmanifest", "application/manifest+json"),
            Map.entry("woff2", "font/woff2"));
    private static final String NO_PAGES = """
            <!doctype html>
            <html lang="en"><head><title>Postrider</title></head>
            <body><p>This build has no pages. The API is below <a href="api/v1/openapi.json">api/v1</a>.</p></body></html>
            """;

    private final Map<String, ConsolePage> read = new ConcurrentHashMap<>();

    /** Returns whether a file never changes under its name, because the name has a hash of it. */
    static boolean neverChanges(String path) {
        return HASHED.matcher(path).matches();
    }

    /** Finds a file by its path below the servlet, without a leading slash. */
    Optional<ConsolePage> find(String path) {
        String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        if (type == null || !SAFE.matcher(path).matches()) {
            return Optional.empty();
        }
        ConsolePage known = read.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<ConsolePage> found = bytes(path).map(bytes -> ConsolePage.of(bytes, type));
        found.ifPresent(page -> read.put(path, page));
        return found;
    }

    /** Returns the page that every screen begins with; its links are relative to {@code base}. */
    ConsolePage index(String base) {
        String text = find(INDEX).map(ConsolePage::text).orElse(NO_PAGES);
        String tag = "<base href=\"" + base + "\">";
        Matcher written = BASE.matcher(text);
        String based = written.find()
                ? written.replaceFirst(Matcher.quoteReplacement(tag))
                : HEAD.matcher(text).replaceFirst(Matcher.quoteReplacement("<head>" + tag));
        return ConsolePage.of(based, TYPES.getOrDefault("html", ""));
    }

    private static Optional<byte[]> bytes(String path) {
        try (InputStream in = ConsolePages.class.getClassLoader().getResourceAsStream(FOLDER + path)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + path, e);
        }
    }
}
