package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every screen, full and empty, in both themes: no finding of axe, no sideways scrolling, no defect. */
final class AccessibilityIT {

    private static final List<String> SCREENS = List.of(
            "",
            "?window=1h",
            "messages",
            "dead",
            "relays",
            "topics",
            "keys",
            "inbox",
            "sagas",
            "alerts",
            "bulk",
            "audit",
            "settings",
            "settings?tab=settings",
            "settings?tab=schema",
            "dev",
            "no-such-screen");

    private static DemoProcess full;
    private static DemoProcess empty;
    private static Chromium chromium;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        full = DemoProcess.start("--rate", "20");
        empty = DemoProcess.start("--no-demo");
        try (ConsoleWindow window = chromium.window(full.address(), Look.light())) {
            window.go("dev").button("Store a poison message").click();
            window.link("Dead messages").click();
            window.link("Edit one…").first().waitFor();
        }
    }

    @AfterAll
    static void stop() {
        for (DemoProcess demo : new DemoProcess[] {full, empty}) {
            if (demo != null) {
                demo.close();
            }
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    static List<String> screens() {
        return SCREENS;
    }

    @ParameterizedTest
    @MethodSource("screens")
    void screenWithDataHasNoFinding(String path) {
        assertThat(findings(full.address(), path)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("screens")
    void emptyScreenHasNoFinding(String path) {
        assertThat(findings(empty.address(), path)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("screens")
    void screenFitsInto320Pixels(String path) {
        try (ConsoleWindow window = chromium.window(full.address(), Look.light().narrow())) {
            window.go(path).settle();

            assertThat(window.scrollsSideways()).isFalse();
        }
    }

    @Test
    void messageAndSagaHaveNoFinding() {
        try (ConsoleWindow window = chromium.window(full.address(), Look.dark())) {
            List<String> found = new ArrayList<>();
            window.go("messages?filter=status:dead")
                    .page()
                    .locator("a.subject")
                    .first()
                    .click();
            Locator tabs = window.page().locator("[role=tab]");
            tabs.first().waitFor();
            for (int at = 0; at < tabs.count(); at++) {
                tabs.nth(at).click();
                found.addAll(window.settle().accessibilityFindings());
            }
            window.button("Requeue…").click();
            window.dialog().waitFor();
            found.addAll(window.accessibilityFindings());
            window.go("sagas").page().locator("a.subject").first().click();
            window.page().locator(".graph").waitFor();
            found.addAll(window.settle().accessibilityFindings());

            assertThat(found).isEmpty();
            window.assertNoDefects();
        }
    }

    private static List<String> findings(String address, String path) {
        List<String> found = new ArrayList<>();
        for (Look look : List.of(Look.light(), Look.dark())) {
            try (ConsoleWindow window = chromium.window(address, look)) {
                window.go(path).settle();
                found.addAll(window.accessibilityFindings());
                window.assertNoDefects();
            }
        }
        return found;
    }
}
