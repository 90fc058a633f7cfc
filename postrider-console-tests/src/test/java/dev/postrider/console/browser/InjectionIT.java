package dev.postrider.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that an application wrote runs in the browser of an operator, wherever it is shown. */
final class InjectionIT {

    private static final List<String> HANDLERS = List.of(
            "onerror",
            "onload",
            "onclick",
            "onmouseover",
            "onfocus",
            "ontoggle",
            "onbegin",
            "onanimationstart",
            "onpointerenter");
    private static final List<String> TAGS = List.of(
            "img src=x", "svg", "body", "input autofocus", "details open", "iframe src=//x", "video src=x", "a href=#");
    private static final List<String> OTHERS = List.of(
            "<script>alert(1)</script>",
            "</script><script>alert(1)</script>",
            "</textarea><script>alert(1)</script>",
            "</title><script>alert(1)</script>",
            "--><script>alert(1)</script>",
            "<iframe srcdoc='<script>alert(1)</script>'>",
            "<a href=\"javascript:alert(1)\">x</a>",
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "<style>@import 'http://127.0.0.1:9/x.css'</style>",
            "<link rel=stylesheet href=http://127.0.0.1:9/x.css>",
            "<base href=//127.0.0.1:9/>",
            "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
            "<object data=javascript:alert(1)>",
            "<embed src=javascript:alert(1)>",
            "<form action=javascript:alert(1)><button>x</button></form>",
            "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
            "\"><script>alert(1)</script>",
            "'><script>alert(1)</script>",
            "{{constructor.constructor('alert(1)')()}}",
            "${alert(1)}",
            "<template><script>alert(1)</script></template>",
            "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
            "<svg><script>alert(1)</script></svg>",
            "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
            "<marquee onstart=alert(1)>",
            "\\\"};alert(1);//",
            "</span><img src=x onerror=alert(1)>");

    private static TrialServer server;
    private static Chromium chromium;

    @BeforeAll
    static void start() throws SQLException {
        chromium = Chromium.start();
        server = TrialServer.create();
        List<String> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThanOrEqualTo(100);
        server.dead(vectors.stream().map(InjectionIT::message).toList(), String.join("\n", vectors));
        server.serve();
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "messages",
                "dead",
                "topics",
                "keys",
                "audit",
                "messages?filter=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E"
            })
    void screenShowsTheTextAndRunsNothing(String path) {
        try (ConsoleWindow window = chromium.window(server.address(), Look.light())) {
            signIn(window, path);
            window.settle();

            assertThat(window.page()
                            .locator("main img, main iframe, main script, main object")
                            .count())
                    .isZero();
            window.assertNoDefects();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeline", "payload", "headers", "attempts", "neighbours"})
    void messageShowsEveryVectorAsText(String tab) {
        List<String> ids = server.postrider().admin().list(MessageStatus.DEAD, 0, 200).stream()
                .map(stored -> stored.message().id().toString())
                .toList();
        assertThat(ids).hasSizeGreaterThanOrEqualTo(100);
        try (ConsoleWindow window = chromium.window(server.address(), Look.dark())) {
            signIn(window, "messages");
            for (int at = 0; at < ids.size(); at += 5) {
                window.go("messages/" + ids.get(at) + "?tab=" + tab);
                window.page().getByRole(AriaRole.TABPANEL).waitFor();
            }

            assertThat(window.page()
                            .locator("main img, main iframe, main script, main object")
                            .count())
                    .isZero();
            window.assertNoDefects();
        }
    }

    private static void signIn(ConsoleWindow window, String path) {
        window.page().navigate(server.address() + path);
        window.page().getByLabel("Name").fill("otto");
        window.page().getByLabel("Password").fill(TrialServer.PASSWORD);
        window.button("Sign in").click();
        window.page().locator("nav").first().waitFor();
        window.heading().waitFor();
    }

    private static List<String> vectors() {
        List<String> vectors = new ArrayList<>(OTHERS);
        for (String tag : TAGS) {
            for (String handler : HANDLERS) {
                vectors.add("<%s %s=alert(1)>".formatted(tag, handler));
            }
        }
        return vectors;
    }

    private static OutboxMessage message(String vector) {
        return OutboxMessage.to(vector, vector)
                .namespace(vector)
                .key(vector)
                .tenant(vector)
                .header("vector", vector)
                .contentType("application/json")
                .payload("{\"vector\":\"" + vector + "\"}" + vector)
                .maxAttempts(1)
                .build();
    }
}
