package dev.postrider.cli.command;

import dev.postrider.cli.run.CliEnvironment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Draws pictures in place on the terminal and hears the key q. The terminal gets its state back when the screen is
 * closed, also when the process is interrupted.
 */
final class LiveScreen implements AutoCloseable {

    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K\r\n";
    private static final String END_OF_SCREEN = "\u001b[J";
    private static final int LISTEN_MILLIS = 50;
    private static final int PLAIN_COLUMNS = 80;
    private static final int PLAIN_ROWS = 24;
    private static final int CTRL_C = 3;

    private final PrintStream terminal;
    private final String before;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final Thread atExit = new Thread(this::restore, "postrider-terminal");
    private final CliEnvironment environment;
    private int rows = PLAIN_ROWS;

    private LiveScreen(CliEnvironment environment) {
        this.environment = environment;
        this.terminal = new PrintStream(environment.data(), false, StandardCharsets.UTF_8);
        this.before = stty("-g");
    }

    static LiveScreen open(CliEnvironment environment) {
        LiveScreen screen = new LiveScreen(environment);
        Runtime.getRuntime().addShutdownHook(screen.atExit);
        screen.stty("-icanon -echo min 0 time 0");
        screen.terminal.print(ENTER);
        screen.terminal.flush();
        return screen;
    }

    /** Returns the characters in a line now; the window may have been resized. */
    int columns() {
        String[] size = stty("size").strip().split(" ", -1);
        if (size.length == 2 && size[0].matches("[1-9][0-9]{0,4}") && size[1].matches("[1-9][0-9]{0,4}")) {
            rows = Integer.parseInt(size[0]);
            return Integer.parseInt(size[1]);
        }
        return environment.columns() > 0 ? environment.columns() : PLAIN_COLUMNS;
    }

    void show(List<String> lines) {
        StringBuilder picture = new StringBuilder(HOME);
        lines.stream()
                .limit(Math.max(1, rows - 1))
                .forEach(line -> picture.append(line).append(END_OF_LINE));
        terminal.print(picture.append(END_OF_SCREEN));
        terminal.flush();
    }

    /** Waits until the next picture is due; returns true as soon as a person wants to quit. */
    boolean quitWithin(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        do {
            if (quitPressed()) {
                return true;
            }
            Thread.sleep(LISTEN_MILLIS);
        } while (System.nanoTime() < end);
        return quitPressed();
    }

    private static boolean quitPressed() {
        try {
            while (System.in.available() > 0) {
                int key = System.in.read();
                if (key == 'q' || key == 'Q' || key == CTRL_C) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private String stty(String arguments) {
        try {
            Process process = new ProcessBuilder("sh", "-c", "stty " + arguments + " </dev/tty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(2, TimeUnit.SECONDS) && process.exitValue() == 0 ? answer.strip() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void restore() {
        if (open.compareAndSet(true, false)) {
            terminal.print(LEAVE);
            terminal.flush();
            stty(before.matches("[0-9a-f:=]+") ? before : "sane");
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process ends already, and the hook finds nothing left to do.
        }
    }
}
