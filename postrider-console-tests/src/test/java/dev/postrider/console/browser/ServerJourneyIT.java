package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.postrider.OutboxMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people with different roles do in the console of a server. */
final class ServerJourneyIT {

    private static final int MANY = 5_000;

    private static TrialServer server;
    private static Chromium chromium;

    private ConsoleWindow window;

    @BeforeAll
    static void start() throws SQLException {
        chromium = Chromium.start();
        server = TrialServer.create()
                .dead(orders("bulk", MANY), "price list is missing")
                .dead(orders("single", 8), "customer is unknown")
                .serve();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @BeforeEach
    void open() {
        window = chromium.window(server.address(), Look.light());
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void allMessagesOfAGroupAreRequeuedAfterTheirNumberWasTyped() {
        signIn("otto", "dead?filter=topic:bulk");
        window.button("Requeue…").first().click();
        window.dialog().getByLabel("Reason").fill("price list is back");
        window.inDialog("Count and fix").click();
        window.dialog().getByText("Requeue 5000 dead messages.").waitFor();
        assertThat(window.inDialog("Requeue 5000").isDisabled()).isTrue();

        window.dialog().getByLabel("Type 5000 to confirm").fill("5000");
        window.inDialog("Requeue 5000").click();
        window.status("done").waitFor();

        window.page().getByText("5000 done").waitFor();
        window.page().locator("tbody tr").first().waitFor();
        window.page().waitForCondition(() -> server.endpoint().received() >= MANY);
        window.assertNoDefects();
    }

    @Test
    void viewerSeesNoActionAndIsRefusedOne() {
        signIn("vera", "dead?filter=topic:single");
        window.page().locator("tbody tr").first().waitFor();
        Locator buttons = window.page().locator("main button, main a.button");
        assertThat(buttons.allInnerTexts()).containsOnly("Search", "Clear", "Show");

        window.link("Show").click();
        window.status("dead").waitFor();
        assertThat(window.button("Requeue…").count()).isZero();
        String id = window.page().url().replaceAll(".*/", "");
        window.go("messages/" + id + "/edit");
        window.page()
                .getByLabel("Type", new Page.GetByLabelOptions().setExact(true))
                .fill("changed");
        window.button("Review changes").click();
        window.button("Requeue as new message…").click();
        window.confirm("may I?", "Requeue as new message");
        window.dialog().getByText("Your role does not permit this").waitFor();

        window.assertNoDefects();
    }

    @Test
    void endedSessionKeepsThePageAndGoesOnAfterSigningInAgain() {
        signIn("otto", "messages?filter=topic:single");
        window.page().locator("tbody tr").first().waitFor();
        window.page().context().clearCookies();
        window.dialog().getByText("Your session has ended").waitFor();
        assertThat(window.page().locator("tbody tr").count()).isPositive();

        fillSignIn("otto");
        window.dialog().waitFor(hidden());

        assertThat(window.page().url()).contains("filter=topic");
        assertThat(window.page().locator("tbody tr").count()).isPositive();
    }

    @Test
    void historyDoesNotChangeWhatAnOpenDialogAppliesTo() {
        signIn("otto", "messages?filter=topic:single+status:dead");
        Page page = window.page();
        page.locator("tbody tr").first().waitFor();
        String wanted =
                page.locator("tbody tr a.subject").first().getAttribute("href").replaceAll(".*/", "");
        window.link("delivered").click();
        page.waitForURL(Pattern.compile("status%3Adelivered"));
        page.goBack();
        page.locator("tbody tr").first().waitFor();
        page.getByLabel("Select message " + wanted).check();
        window.button("Requeue 1…").click();
        window.dialog().waitFor();

        page.goForward();
        window.confirm("only this one", "Requeue 1");
        window.dialog().waitFor(hidden());

        window.go("audit?messageId=" + wanted);
        page.locator("tbody tr").first().waitFor();
        assertThat(page.locator("tbody").innerText()).contains("only this one");
        window.go("audit?by=otto");
        page.locator("tbody tr").first().waitFor();
        assertThat(page.getByText("only this one").count()).isEqualTo(1);
    }

    private void signIn(String name, String path) {
        window.page().navigate(server.address() + path);
        fillSignIn(name);
        window.page().getByRole(AriaRole.NAVIGATION).first().waitFor();
    }

    private void fillSignIn(String name) {
        window.page().getByLabel("Name").fill(name);
        window.page().getByLabel("Password").fill(TrialServer.PASSWORD);
        window.button("Sign in").click();
    }

    private static List<OutboxMessage> orders(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> OutboxMessage.to(topic, "order-placed")
                        .payload("{\"order\":%d}".formatted(number))
                        .maxAttempts(1)
                        .build())
                .toList();
    }

    private static Locator.WaitForOptions hidden() {
        return new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN);
    }
}
