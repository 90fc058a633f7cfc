package dev.postrider.services;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged until it is closed: slf4j-simple writes to standard error. One at a time; not thread-safe. */
public final class CapturedLog implements AutoCloseable {

    private final PrintStream original = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    private CapturedLog() {
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    public static CapturedLog start() {
        return new CapturedLog();
    }

    /** Returns the lines so far that contain {@code text}. */
    public List<String> lines(String text) {
        return captured.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(original);
    }
}
