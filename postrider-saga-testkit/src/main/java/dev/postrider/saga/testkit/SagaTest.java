package dev.postrider.saga.testkit;

import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.saga.DefinitionProbe;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaSchema;
import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs a definition of a saga through every failure it must survive: each step and each compensation fails once and
 * always, before and after its work; the process is killed or stands still at each place where that matters; replies
 * are refused, doubled, late or missing; the saga is cancelled or its deadline comes. After each scenario the saga must
 * have ended as it should, with each effect exactly once or undone. Needs no test framework. Not thread-safe, and one
 * test at a time runs in a process.
 *
 * @param <C> the context of the saga
 */
public final class SagaTest<C> {

    private final SagaDefinition<C> definition;
    private final Map<String, Setup.Answer> replies = new HashMap<>();
    private final Map<String, Setup.Answer> refusals = new HashMap<>();
    private final Map<String, String> exceptions = new HashMap<>();
    private @Nullable DataSource dataSource;
    private @Nullable Supplier<C> start;
    private @Nullable Effects<C> effects;
    private @Nullable String only;

    private SagaTest(SagaDefinition<C> definition) {
        this.definition = Objects.requireNonNull(definition, "definition");
    }

    /** Reads what a saga left behind. */
    @FunctionalInterface
    public interface Effects<C> {

        /**
         * Returns something that equals what it returned for another saga with the same effects, such as a list of
         * texts without ids; it need not read from the database only.
         *
         * @param context what the saga was started with
         */
        Object read(Connection connection, C context) throws Exception;
    }

    /** Starts the test of a definition; a database and a context are required. */
    public static <C> SagaTest<C> of(SagaDefinition<C> definition) {
        return new SagaTest<>(definition);
    }

    /**
     * Sets the database. It should be one for tests, with room for four connections; the tables of outbox and sagas are
     * made if they are not there, and one named {@code saga_test_mark}.
     */
    public SagaTest<C> on(DataSource value) {
        this.dataSource = Objects.requireNonNull(value, "dataSource");
        return this;
    }

    /** Sets where contexts come from: a fresh one for each scenario, so that their effects can be told apart. */
    public SagaTest<C> start(Supplier<C> value) {
        this.start = Objects.requireNonNull(value, "start");
        return this;
    }

    /**
     * Sets how to read the effects of a saga. They must be the same after every saga that is completed, and the same as
     * before it began after every saga that is compensated; leave out what a compensation is meant to leave behind.
     */
    public SagaTest<C> effects(Effects<C> value) {
        this.effects = Objects.requireNonNull(value, "effects");
        return this;
    }

    /** Sets what is answered to the command of a request step. Default: any type that says yes, with {@code {}}. */
    public SagaTest<C> reply(String step, String type, String payload) {
        replies.put(requestStep(step), new Setup.Answer(type, payload));
        return this;
    }

    /** Sets what is answered if the command is refused. Default: any type that says no, with {@code {}}. */
    public SagaTest<C> refusal(String step, String type, String payload) {
        refusals.put(requestStep(step), new Setup.Answer(type, payload));
        return this;
    }

    /** Runs one scenario, named as in the report, after those it is compared with. Default: all. */
    public SagaTest<C> only(String scenario) {
        this.only = Objects.requireNonNull(scenario, "scenario");
        return this;
    }

    /**
     * Leaves out a scenario, named as in the report, that the system is known not to survive; the report says why.
     * Those with which others are compared cannot be left out.
     */
    public SagaTest<C> except(String scenario, String why) {
        exceptions.put(Objects.requireNonNull(scenario, "scenario"), Objects.requireNonNull(why, "why"));
        return this;
    }

    /**
     * Runs the scenarios.
     *
     * @return what became of each
     * @throws AssertionError if a saga ended as it should not, saying in which scenario and how to see it again
     */
    public SagaTestReport run() {
        Setup<C> setup = new Setup<>(
                definition,
                required(dataSource, "on"),
                required(start, "start"),
                effects,
                Map.copyOf(replies),
                Map.copyOf(refusals));
        OutboxSchema.of(setup.dataSource()).migrate();
        SagaSchema.of(setup.dataSource()).migrate();
        SagaTestReport report;
        synchronized (SagaTest.class) {
            report = new Programme<>(setup, only, Map.copyOf(exceptions)).run();
        }
        if (!report.violated().isEmpty()) {
            throw new AssertionError(report.complaint());
        }
        return report;
    }

    private String requestStep(String step) {
        return DefinitionProbe.of(definition).steps().stream()
                .filter(each -> each.name().equals(step) && each.request())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no request step of %s".formatted(step, definition.name())))
                .name();
    }

    private static <T> T required(@Nullable T part, String method) {
        if (part == null) {
            throw new IllegalStateException("SagaTest needs %s(..)".formatted(method));
        }
        return part;
    }
}
