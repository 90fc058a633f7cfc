package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.monitor.AlertCondition;
import dev.postrider.services.Database.Kind;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules, the dashboard and the runbooks fit together and fit the metrics. */
@Tag("R4.8")
class OpsPackTest {

    private static final List<String> SECTIONS =
            List.of("## What it means", "## What users feel", "## Look", "## Do", "## Do not");

    @Test
    void promtoolTakesTheRules() {
        Promtool.require();

        Promtool.Result result = Promtool.run("check", "rules", Ops.RULES.toString());

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains(Ops.alerts().size() + " rules found");
    }

    @Test
    void everyAlertFiresAndStaysSilentWhenItShould() {
        Promtool.require();

        Promtool.Result result = Promtool.run("test", "rules", Ops.RULES_TEST.toString());

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("SUCCESS");
    }

    @Test
    void promtoolNoticesARuleThatNeverFires(@TempDir Path folder) throws IOException {
        Promtool.require();
        Files.writeString(
                folder.resolve("postrider-rules.yml"),
                Ops.text(Ops.RULES).replace("postrider_outbox_dead) > 0", "postrider_outbox_dead) > 1"));
        Path test = Files.writeString(folder.resolve("postrider-rules-test.yml"), Ops.text(Ops.RULES_TEST));

        Promtool.Result result = Promtool.run("test", "rules", test.toString());

        assertThat(result.status()).isNotZero();
        assertThat(result.output()).contains("PostriderDeadMessages");
    }

    @Test
    void everyAlertHasATestOfBoth() {
        List<String> expected = Ops.alerts().stream()
                .flatMap(alert -> Stream.of("fires", "stays silent", "fires on the first event")
                        .limit(countsEvents(alert) ? 3 : 2)
                        .map(what -> alert.get("alert") + " " + what))
                .toList();

        assertThat(Ops.tests())
                .extracting(test -> String.valueOf(test.get("name")))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(Ops.tests()).allSatisfy(test -> {
            String name = (String) Objects.requireNonNull(test.get("name"));
            List<Map<?, ?>> checks = Ops.list(test.get("alert_rule_test"));
            assertThat(checks)
                    .isNotEmpty()
                    .allSatisfy(check -> assertThat(name).startsWith(check.get("alertname") + " "))
                    .allSatisfy(check ->
                            assertThat(Ops.list(check.get("exp_alerts"))).hasSize(name.contains(" fires") ? 1 : 0));
        });
    }

    @Test
    void aFirstEventIsOneWithWhichItsTimeSeriesBegins() {
        assertThat(Ops.tests())
                .filteredOn(test -> String.valueOf(test.get("name")).endsWith("on the first event"))
                .isNotEmpty()
                .flatExtracting(test -> Ops.list(test.get("input_series")))
                .extracting(series -> String.valueOf(series.get("values")))
                .allMatch(values -> values.matches("(_ )+\\d+x\\d+"));
    }

    @Test
    void theExampleOfAnAlertHasTheNameOfACondition() {
        List<String> names = Arrays.stream(AlertCondition.values())
                .map(AlertCondition::alertName)
                .toList();

        assertThat(Pattern.compile("\"source\": \"postrider\", \"name\": \"([^\"]+)\"")
                        .matcher(Ops.text(Ops.ROOT.resolve("docs/alerts.md")))
                        .results()
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .isSubsetOf(names);
    }

    @Test
    void everyMetricInRulesAndDashboardIsReallyExported() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Set<String> exported;
        try (Shop shop = new Shop(Kind.H2, registry);
                Warehouse warehouse = new Warehouse(Kind.H2, registry)) {
            shop.everythingHappens();
            warehouse.everythingHappens();
            exported = Scrape.names(registry.scrape());
        }

        String rules = Ops.alerts().stream()
                .map(alert -> (String) Objects.requireNonNull(alert.get("expr")))
                .collect(Collectors.joining("\n"));
        String dashboard =
                String.join("\n", Ops.dashboardStrings("expr")) + String.join("\n", Ops.dashboardStrings("definition"));
        String tests = Ops.tests().stream()
                .flatMap(test -> Ops.list(test.get("input_series")).stream())
                .map(series -> (String) Objects.requireNonNull(series.get("series")))
                .collect(Collectors.joining("\n"));

        assertThat(Ops.metrics(rules)).hasSizeGreaterThan(10).isSubsetOf(exported);
        assertThat(Ops.metrics(dashboard.replace("postrider_(inbox|saga)_sample_age_seconds", "")))
                .hasSizeGreaterThan(40)
                .isSubsetOf(exported);
        assertThat(Ops.metrics(tests)).hasSizeGreaterThan(10).isSubsetOf(exported);
    }

    @Test
    void theDashboardsShowEveryMetricButTheAliases() {
        Set<String> shown = Ops.metrics(String.join("\n", Ops.dashboardStrings("expr")));
        Set<String> families = shown.stream().map(OpsPackTest::family).collect(Collectors.toCollection(TreeSet::new));

        Set<String> documented = MetricsTable.series().stream()
                .filter(name -> name.startsWith("postrider_"))
                .map(OpsPackTest::family)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(families).isEqualTo(documented);
    }

    @Test
    void theDashboardLetsChooseDataSourceJobInstanceAndOutbox() {
        Map<?, ?> templating =
                (Map<?, ?>) Objects.requireNonNull(Ops.yaml(Ops.DASHBOARD).get("templating"));

        assertThat(Ops.list(templating.get("list")))
                .extracting(variable -> String.valueOf(variable.get("name")))
                .containsExactly("datasource", "job", "instance", "outbox");
        assertThat(Ops.dashboardStrings(Ops.DASHBOARD, "expr"))
                .allMatch(expr -> expr.contains("job=~\"$job\",instance=~\"$instance\",outbox=~\"$outbox\""));
    }

    @Test
    void theDashboardOfInboxAndSagasLetsChooseDataSourceJobAndInstance() {
        Map<?, ?> templating =
                (Map<?, ?>) Objects.requireNonNull(Ops.yaml(Ops.INBOX_DASHBOARD).get("templating"));

        assertThat(Ops.list(templating.get("list")))
                .extracting(variable -> String.valueOf(variable.get("name")))
                .containsExactly("datasource", "job", "instance");
        assertThat(Ops.dashboardStrings(Ops.INBOX_DASHBOARD, "expr"))
                .allMatch(expr -> expr.contains("job=~\"$job\",instance=~\"$instance\""));
    }

    @Test
    void everyAlertSaysHowBadItIsAndWhereToReadOn() {
        assertThat(Ops.alerts()).isNotEmpty().allSatisfy(alert -> {
            Map<?, ?> annotations = (Map<?, ?>) Objects.requireNonNull(alert.get("annotations"));
            Map<?, ?> labels = (Map<?, ?>) Objects.requireNonNull(alert.get("labels"));
            Path page = Ops.ROOT.resolve((String) Objects.requireNonNull(annotations.get("runbook_url")));

            assertThat(labels.get("severity")).isIn("warning", "critical");
            assertThat(annotations.get("summary")).isNotNull();
            assertThat(annotations.get("description")).isNotNull();
            assertThat(page).exists();
            assertThat(Ops.text(page)).contains("`" + alert.get("alert") + "`");
        });
    }

    @Test
    void everyBuiltInRuleHasItsPage() {
        assertThat(AlertCondition.values()).allSatisfy(condition -> {
            Path page = Ops.RUNBOOKS.resolve(condition.alertName() + ".md");
            assertThat(page).exists();
            assertThat(Ops.text(page)).contains("built-in `" + condition.alertName() + "`");
            assertThat(Ops.text(Ops.ROOT.resolve("docs/alerts.md")))
                    .contains("(runbooks/" + condition.alertName() + ".md)");
        });
    }

    @Test
    void everyPageSaysTheSameThingsInTheSameOrderAndBelongsToAnAlert() throws IOException {
        try (Stream<Path> pages = Files.list(Ops.RUNBOOKS)) {
            assertThat(pages).isNotEmpty().allSatisfy(page -> {
                String text = Ops.text(page);
                assertThat(text.lines().filter(line -> line.startsWith("## "))).containsExactlyElementsOf(SECTIONS);
                List<String> named = Arrays.stream(text.split("`", -1))
                        .filter(name ->
                                name.startsWith("Postrider") && alertNames().contains(name))
                        .toList();
                assertThat(named).as(page.toString()).isNotEmpty();
            });
        }
    }

    // A quantile needs a flow of events, not a first one.
    private static boolean countsEvents(Map<?, ?> alert) {
        String expr = (String) Objects.requireNonNull(alert.get("expr"));
        return (expr.contains("increase(") || expr.contains("rate(")) && !expr.contains("histogram_quantile(");
    }

    private static List<String> alertNames() {
        return Ops.alerts().stream()
                .map(alert -> (String) Objects.requireNonNull(alert.get("alert")))
                .toList();
    }

    private static String family(String name) {
        return name.replaceAll("_(bucket|count|sum|max)$", "");
    }
}
