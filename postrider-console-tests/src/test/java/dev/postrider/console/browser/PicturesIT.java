package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Takes the pictures of README and docs. They go to target/pictures; with {@code -Dpictures.folder=docs/images} into
 * the documentation.
 */
final class PicturesIT {

    private static final Path FOLDER = Path.of(System.getProperty("pictures.folder", "target/pictures"));

    private static DemoProcess demo;
    private static Chromium chromium;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        demo = DemoProcess.start("--rate", "50");
        try (ConsoleWindow window = chromium.window(demo.address(), Look.light())) {
            window.go("dev").button("Store a poison message").click();
            window.link("Dead messages").click();
            window.link("Edit one…").first().waitFor();
            window.go("sagas?status=COMPENSATED").page().reload();
            window.page().waitForCondition(() -> {
                boolean there = window.page().locator("a.subject").count() > 0;
                if (!there) {
                    window.page().reload();
                }
                return there;
            });
        }
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void screensHaveTheirPictures(ColorScheme theme) throws Exception {
        Files.createDirectories(FOLDER);
        try (ConsoleWindow window = chromium.window(demo.address(), new Look(1280, 800, theme))) {
            Page page = window.page();
            window.go("").settle();
            page.locator(".u-over").first().waitFor();
            take(window, "overview", theme);

            window.go("dead").settle();
            page.locator("tbody tr").first().waitFor();
            take(window, "dead", theme);

            window.link("Edit one…").first().click();
            page.getByLabel("Payload").waitFor();
            page.goBack();
            page.locator("tbody th a").first().click();
            page.locator("a.subject").first().click();
            page.locator(".timeline").waitFor();
            take(window, "message", theme);

            window.go("sagas?status=COMPENSATED")
                    .page()
                    .locator("a.subject")
                    .first()
                    .click();
            page.locator(".graph svg").waitFor();
            take(window, "saga", theme);
            window.assertNoDefects();
        }
    }

    private static void take(ConsoleWindow window, String name, ColorScheme theme) throws Exception {
        Path file =
                FOLDER.resolve("console-%s-%s.png".formatted(name, theme.name().toLowerCase(Locale.ROOT)));
        window.picture(file);
        assertThat(Files.size(file)).isGreaterThan(10_000);
    }
}
