package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A browser window with the console, and everything in it that must not happen. Used by one thread. */
final class ConsoleWindow implements AutoCloseable {

    private static final double PATIENCE_MILLIS = 120_000;
    private static final List<String> LEVELS =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

    // Refusals that a test asks for are no defects of a page.
    private static final String REFUSED = "Failed to load resource";

    private final BrowserContext context;
    private final Page page;
    private final String address;
    private final List<String> defects = new CopyOnWriteArrayList<>();

    private ConsoleWindow(BrowserContext context, String address) {
        this.context = context;
        this.address = address;
        page = context.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onDialog(dialog -> {
            defects.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onPageError(error -> defects.add("error: " + error));
        page.onConsoleMessage(message -> {
            boolean bad = message.type().equals("error") || message.type().equals("warning");
            if (bad && !message.text().startsWith(REFUSED)) {
                defects.add(message.type() + ": " + message.text());
            }
        });
    }

    static ConsoleWindow open(Browser browser, String address, Look look) {
        return new ConsoleWindow(
                browser.newContext(new Browser.NewContextOptions()
                        .setViewportSize(look.width(), look.height())
                        .setColorScheme(look.theme())),
                address);
    }

    Page page() {
        return page;
    }

    ConsoleWindow go(String path) {
        page.navigate(address + path);
        heading().waitFor();
        return this;
    }

    Locator heading() {
        return page.locator("h1").first();
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    Locator dialog() {
        return page.getByRole(AriaRole.DIALOG);
    }

    Locator inDialog(String button) {
        return dialog().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
    }

    Locator status(String word) {
        return page.locator("main .status", new Page.LocatorOptions().setHasText(word))
                .first();
    }

    /** Gives the reason that an open dialog asks for and confirms it. */
    void confirm(String reason, String button) {
        dialog().getByLabel("Reason").fill(reason);
        inDialog(button).click();
    }

    /** Waits until nothing loads any more, so that a check or a picture sees the whole screen. */
    ConsoleWindow settle() {
        page.waitForCondition(() -> page.locator(".skeleton").count() == 0);
        page.evaluate("() => document.fonts.ready.then(() => true)");
        return this;
    }

    void picture(Path file) {
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
    }

    List<String> accessibilityFindings() {
        List<String> found = new ArrayList<>();
        for (Rule rule : new AxeBuilder(page).withTags(LEVELS).analyze().getViolations()) {
            found.add("%s %s: %s"
                    .formatted(
                            rule.getImpact(),
                            rule.getId(),
                            rule.getNodes().get(0).getHtml()));
        }
        return found;
    }

    boolean scrollsSideways() {
        return (Boolean)
                page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth");
    }

    void assertNoDefects() {
        assertThat(defects).isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }
}
