package dev.postrider.console.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The Chromium of this machine, started once for a test class. Used by one thread. */
final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setArgs(ARGUMENTS));
    }

    /** Starts the browser; a machine without one skips the test, with {@code CI=true} it fails. */
    static Chromium start() {
        Optional<Path> executable = executable();
        if (executable.isEmpty() && !"true".equals(System.getenv("CI"))) {
            Assumptions.abort("No Chromium on the path; install the Debian package chromium");
        }
        return new Chromium(executable.orElseThrow(() -> new IllegalStateException("No Chromium on the path")));
    }

    private static Optional<Path> executable() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a window of its own, with no cookies and no storage. */
    ConsoleWindow window(String address, Look look) {
        return ConsoleWindow.open(browser, address, look);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
