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

    private static final int ENOUGH_POINTS = 15;
    private static final double PATIENCE_MILLIS = 240_000;
    private static final String MEASURED = """
            async () => {
              await new Promise(done => setTimeout(done, 2000));
              const answer = await fetch("api/v1/sources/main/statistics?window=15m");
              return (await answer.json()).series.out.filter(point => point !== null).length;
            }
            """;

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
            window.page()
                    .waitForCondition(
                            () -> (Integer) window.page().evaluate(MEASURED) >= ENOUGH_POINTS,
                            new Page.WaitForConditionOptions().setTimeout(PATIENCE_MILLIS));
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

            page.locator("tbody th a").first().click();
            page.locator("a.subject").first().click();
            page.locator(".timeline").waitFor();
            window.button("Requeue…").click();
            window.confirm("customer record is back", "Requeue 1");
            page.getByText("local: requeue").first().waitFor();
            window.button("Requeue…").waitFor();
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
