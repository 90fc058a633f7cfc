package dev.postrider.saga.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.LocalStep;
import dev.postrider.saga.Saga;
import dev.postrider.saga.testkit.Shop.Order;
import dev.postrider.services.Database.Kind;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("B4")
final class SagaTestTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("A1")
    @Tag("A4")
    @Tag("A5")
    @Tag("D1")
    @Tag("D2")
    @Tag("D3")
    @Tag("D5")
    @Tag("D10")
    void aSagaWithLocalStepsSurvivesEverything(Kind kind) throws SQLException {
        try (Shop shop = Shop.open(kind)) {
            SagaTestReport report = SagaTest.of(localSteps())
                    .on(shop.pool())
                    .start(Order::fresh)
                    .effects(Shop::notes)
                    .run();

            assertThat(report.violated()).isEmpty();
            assertThat(report.lines())
                    .extracting(SagaTestReport.Line::scenario)
                    .doesNotHaveDuplicates()
                    .contains(
                            "no fault",
                            "'reserve' fails once after its work",
                            "'undo reserve' fails always",
                            "statement 1 of 'reserve' fails",
                            "crash at saga.step.journaled after reserve",
                            "freeze at saga.step.committed after reserve",
                            "slow inside reserve",
                            "cancel at saga.step.committed after reserve",
                            "in one transaction: 'bill' fails");
            assertThat(outcome(report, "no fault")).isEqualTo("COMPLETED");
            assertThat(outcome(report, "'reserve' fails once after its work")).isEqualTo("COMPLETED");
            assertThat(outcome(report, "'bill' fails always")).isEqualTo("COMPENSATED");
            assertThat(outcome(report, "'undo reserve' fails always")).isEqualTo("STUCK, after retry COMPENSATED");
            assertThat(outcome(report, "'thank' fails always")).isEqualTo("STUCK, after retry COMPLETED");
            assertThat(outcome(report, "cancel at saga.step.committed after reserve"))
                    .isEqualTo("COMPENSATED");
            assertThat(outcome(report, "cancel at saga.step.committed after confirm"))
                    .isEqualTo("COMPLETED");
            assertThat(outcome(report, "in one transaction: 'bill' fails")).isEqualTo("ROLLED_BACK, then COMPLETED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    @Tag("D3")
    @Tag("D4")
    @Tag("D6")
    void aSagaWithStepsElsewhereSurvivesEverything(Kind kind) throws SQLException {
        try (Shop shop = Shop.open(kind)) {
            Bank bank = new Bank();
            SagaTestReport report = mixed(shop, bank, Bug.NONE).run();

            assertThat(report.violated()).isEmpty();
            assertThat(outcome(report, "'charge' fails always after its work")).isEqualTo("COMPENSATED");
            assertThat(outcome(report, "'ship' is refused")).isEqualTo("COMPENSATED");
            assertThat(outcome(report, "'ship' is answered twice")).isEqualTo("COMPLETED");
            assertThat(outcome(report, "'ship' is answered late")).isEqualTo("COMPLETED");
            assertThat(outcome(report, "'ship' is never answered")).isEqualTo("COMPENSATED");
            assertThat(outcome(report, "'undo ship' is never answered")).isEqualTo("STUCK, after retry COMPENSATED");
            assertThat(outcome(report, "crash at saga.external.called after charge"))
                    .isEqualTo("COMPLETED");
            assertThat(outcome(report, "freeze inside charge")).isEqualTo("COMPLETED");
            assertThat(outcome(report, "deadline inside charge")).isEqualTo("COMPENSATED");
            assertThat(outcome(report, "cancel at the start")).isEqualTo("COMPENSATED");
        }
    }

    private static String outcome(SagaTestReport report, String scenario) {
        return report.lines().stream()
                .filter(each -> each.scenario().equals(scenario))
                .map(SagaTestReport.Line::outcome)
                .findFirst()
                .orElse("no scenario '" + scenario + "' in " + report);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBugIsFound(Bug bug) throws SQLException {
        try (Shop shop = Shop.open(Kind.H2)) {
            assertThatThrownBy(() ->
                            mixed(shop, new Bank(), bug).only(bug.scenario()).run())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(bug.scenario())
                    .hasMessageContaining(bug.complaint())
                    .hasMessageContaining("repeat it with .only(\"")
                    .hasMessageContaining("flowchart TD");
        }
    }

    @Test
    void postgresqlKeepsNothingOfAStepThatSwallowsAnError() throws SQLException {
        try (Shop shop = Shop.open(Kind.POSTGRES_18)) {
            SagaTestReport report = mixed(shop, new Bank(), Bug.SWALLOWED_ERROR)
                    .only(Bug.SWALLOWED_ERROR.scenario())
                    .run();

            assertThat(outcome(report, Bug.SWALLOWED_ERROR.scenario())).isEqualTo("COMPLETED");
        }
    }

    @Test
    void oneScenarioCanBeRepeated() throws SQLException {
        try (Shop shop = Shop.open(Kind.H2)) {
            SagaTestReport report = mixed(shop, new Bank(), Bug.NONE)
                    .only("slow inside reserve")
                    .run();

            assertThat(report.lines())
                    .extracting(SagaTestReport.Line::scenario)
                    .containsExactly("no fault", "'confirm' fails and all is undone", "slow inside reserve");
            assertThat(report).asString().contains("3 scenarios, 0 violated", "ok    slow inside reserve");
            assertThatThrownBy(
                            () -> mixed(shop, new Bank(), Bug.NONE).only("none").run())
                    .hasMessageContaining("There is no scenario 'none'");
        }
    }

    @Test
    void aScenarioThatIsKnownToFailCanBeLeftOut() throws SQLException {
        try (Shop shop = Shop.open(Kind.H2)) {
            String scenario = Bug.LATE_CHARGE.scenario();
            SagaTestReport report = mixed(shop, new Bank(), Bug.LATE_CHARGE)
                    .only(scenario)
                    .except(scenario, "the bank knows no keys")
                    .run();

            assertThat(outcome(report, scenario)).isEqualTo("left out: the bank knows no keys");
        }
    }

    @Test
    @Tag("A1")
    @Tag("A5")
    void aSagaThatIsAlwaysOneTransactionIsTestedAsOne() throws SQLException {
        try (Shop shop = Shop.open(Kind.H2)) {
            LocalSagaDefinition<Order> saga = Saga.define("atomic", Order.class)
                    .atomicOnly()
                    .step(
                            "reserve",
                            step -> step.action((order, transaction) -> {
                                Shop.note(transaction.connection(), order, "reserved");
                                transaction.enqueue(Shop.message("Reserved"));
                                return order.with("r");
                            }))
                    .build();

            SagaTestReport report = SagaTest.of(saga)
                    .on(shop.pool())
                    .start(Order::fresh)
                    .effects(Shop::notes)
                    .run();

            assertThat(report.lines())
                    .extracting(SagaTestReport.Line::scenario)
                    .contains("in one transaction: crash at saga.atomic.committed")
                    .allMatch(each -> each.startsWith("in one transaction: "));
            assertThatThrownBy(() -> SagaTest.of(saga)
                            .on(shop.pool())
                            .start(Order::fresh)
                            .except("none", "-")
                            .run())
                    .hasMessageContaining("There is no scenario 'none'");
        }
    }

    @Test
    void whatIsMissingIsSaid() {
        SagaTest<Order> test = SagaTest.of(localSteps());

        assertThatThrownBy(test::run).hasMessageContaining("SagaTest needs on(..)");
        assertThatThrownBy(() -> test.reply("reserve", "Yes", "{}"))
                .hasMessageContaining("'reserve' is no request step of local-order");
    }

    private static LocalSagaDefinition<Order> localSteps() {
        return Saga.define("local-order", Order.class)
                .codec(new Shop.Codec())
                .step(
                        "look",
                        step -> step.action((order, transaction) -> order.with("l"))
                                .readOnly())
                .step("reserve", noting("reserved"))
                .step("bill", noting("billed"))
                .pivot(
                        "confirm",
                        step -> step.action((order, transaction) -> {
                            Shop.note(transaction.connection(), order, "confirmed");
                            return order.with("c");
                        }))
                .retriable(
                        "thank",
                        step -> step.action((order, transaction) -> {
                            transaction.enqueue(Shop.message("Thanks"));
                            return order;
                        }))
                .build();
    }

    private static Consumer<LocalStep<Order>> noting(String what) {
        return step -> step.action((order, transaction) -> {
                    Shop.note(transaction.connection(), order, what);
                    transaction.enqueue(Shop.message(what));
                    return order.with(what.substring(0, 1));
                })
                .compensate((order, transaction) -> {
                    Shop.erase(transaction.connection(), order, what);
                    transaction.enqueue(Shop.message("not " + what));
                });
    }

    private static SagaTest<Order> mixed(Shop shop, Bank bank, Bug bug) {
        return SagaTest.of(new MixedOrder(shop, bank, bug).define())
                .on(shop.pool())
                .start(Order::fresh)
                .reply("ship", "Shipped", "box 7")
                .refusal("ship", "NotShipped", "no box")
                .effects((connection, order) -> {
                    List<Object> effects = Shop.notes(connection, order);
                    effects.add(bank.read(order.id()));
                    return effects;
                });
    }
}
