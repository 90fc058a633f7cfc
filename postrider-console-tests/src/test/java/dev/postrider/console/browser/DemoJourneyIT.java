package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does in the console while messages flow. */
final class DemoJourneyIT {

    private static DemoProcess demo;
    private static Chromium chromium;

    private ConsoleWindow window;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        demo = DemoProcess.start("--rate", "20");
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

    @BeforeEach
    void open() {
        window = chromium.window(demo.address(), Look.light());
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void brokenBrokerTurnsTheVerdictAndARestoredOneDrains() {
        window.go("dev").button("Break the broker").click();
        window.link("Overview").click();
        Locator verdict = window.page().locator(".verdict");
        window.page().locator(".verdict[data-state=bad]").waitFor();
        assertThat(verdict.innerText()).contains("unreachable").contains("nothing is lost");

        window.link("Dev tools").click();
        window.button("Restore the broker").click();
        window.link("Overview").click();
        window.page().locator(".verdict:not([data-state=bad])").waitFor();

        assertThat(verdict.innerText()).doesNotContain("unreachable");
        window.assertNoDefects();
    }

    @Test
    void poisonedMessageIsEditedComparedRequeuedAndDelivered() {
        window.go("dev").button("Store a poison message").click();
        window.link("Dead messages").click();
        window.link("Edit one…").first().click();
        Locator payload = window.page().getByLabel("Payload");
        payload.fill("{\"order\":\"mended\",\"cents\":9007199254740993}");
        window.button("Review changes").click();
        assertThat(window.page().locator(".diff .added").last().innerText()).contains("}");

        window.button("Requeue as new message…").click();
        window.confirm("payload was cut", "Requeue as new message");
        window.status("delivered").waitFor();
        window.page()
                .getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName("Payload"))
                .click();

        assertThat(window.page().locator(".payload").innerText()).contains("9007199254740993");
        window.assertNoDefects();
    }

    @Test
    void deadMessageIsFoundAndRequeuedWithTheKeyboardAlone() {
        window.go("dev").button("Store a poison message").click();
        window.go("messages");
        Page page = window.page();
        page.locator("[data-search]").waitFor();
        page.keyboard().press("/");
        page.keyboard().type("status:dead");
        page.keyboard().press("Enter");
        page.waitForURL(Pattern.compile("filter=status%3Adead"));
        page.locator("tbody tr").first().waitFor();
        page.locator("h1").focus();
        page.keyboard().press("j");
        page.keyboard().press("x");
        Locator requeue = window.button("Requeue 1…");
        requeue.waitFor();
        for (int tabs = 0; tabs < 500 && !focused(requeue); tabs++) {
            page.keyboard().press("Tab");
        }
        page.keyboard().press("Enter");
        window.dialog().waitFor();
        page.keyboard().type("found by keyboard");
        page.keyboard().press("Enter");
        window.dialog().waitFor(hidden());

        window.go("audit");
        assertThat(page.locator("tbody").innerText()).contains("requeue").contains("found by keyboard");
        window.assertNoDefects();
    }

    @Test
    void shardsOfAKilledRelayMoveOnTheScreen() {
        window.go("dev").button("Start a relay").click();
        Pattern kill = Pattern.compile("^Kill .*");
        Locator kills = window.page().getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(kill));
        window.page().waitForCondition(() -> kills.count() >= 3);
        String name = kills.first().innerText().replace("Kill ", "");
        window.link("Relays and shards").click();
        Locator strip = window.page().locator(".strip");
        strip.getByText(name).waitFor();

        window.link("Dev tools").click();
        window.button("Kill " + name).click();
        window.link("Relays and shards").click();
        strip.locator(".strip-cell").first().waitFor();
        strip.getByText(name).waitFor(hidden());
        strip.locator(".strip-cell.lost").first().waitFor(hidden());

        strip.locator(".strip-cell.own").first().waitFor();
        window.assertNoDefects();
    }

    @Test
    void pausedTopicSaysByWhomAndGoesOnAfterResume() {
        window.go("topics").button("Pause…").first().click();
        window.confirm("maintenance", "Pause");
        window.status("paused by").waitFor();

        window.button("Resume…").first().click();
        window.confirm("done", "Resume");
        window.status("paused by").waitFor(hidden());

        window.assertNoDefects();
    }

    private static boolean focused(Locator locator) {
        return (Boolean) locator.evaluate("element => element === document.activeElement");
    }

    private static Locator.WaitForOptions hidden() {
        return new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN);
    }
}
