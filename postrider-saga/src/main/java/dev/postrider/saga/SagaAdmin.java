package dev.postrider.saga;

import dev.postrider.admin.Decision;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.database.TableNames;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * What a person may see of sagas and do to them. Each action happens in one transaction with an entry in the saga's
 * audit trail, and takes the saga from the runner that has it: a step that is under way commits before, or not at all.
 * An action that does not fit where the saga is changes nothing and says what would help. Thread-safe.
 */
public final class SagaAdmin {

    private static final String GRAPH = "select d.graph from {definition} d where d.name = ? and d.version = ?";
    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) (\\S+) after (\\S*)");

    private final SagaTables tables;

    /**
     * A step of a definition, as the tables know it.
     *
     * @param step its name
     * @param kind how it does its work
     * @param role what becomes of it when the saga turns back
     * @param after the steps that are done before it
     */
    public record StepOutline(String step, String kind, String role, List<String> after) {

        /** Copies the names. */
        public StepOutline {
            after = List.copyOf(after);
        }
    }

    private SagaAdmin(DataSource dataSource, TableNames names) {
        this.tables = new SagaTables(
                Objects.requireNonNull(dataSource, "dataSource"), Objects.requireNonNull(names, "names"));
    }

    /** Returns the admin of tables whose names begin with {@code saga_}. */
    public static SagaAdmin of(DataSource dataSource) {
        return new SagaAdmin(dataSource, SagaSchema.DEFAULT_NAMES);
    }

    /** Returns the admin of the tables with these names. */
    public static SagaAdmin of(DataSource dataSource, TableNames names) {
        return new SagaAdmin(dataSource, names);
    }

    /** Returns a part of the sagas that pass the filter, in the order in which they were started. */
    public Slice<SagaSummary> list(SagaFilter filter, Page page) {
        return tables.autoCommitted("list sagas", session -> new SagaSearch(session).page(filter, page));
    }

    /** Returns everything about a saga, with its journal and its audit trail; empty if it is not there. */
    public Optional<SagaDetails> show(UUID id) {
        return tables.transacted("show saga " + id, session -> {
            Optional<SagaRow> row = new SagaRows(session).find(id);
            if (row.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    SagaDetails.of(row.get(), new SagaJournal(session).of(id), new SagaTrail(session).of(id)));
        });
    }

    /** Returns the steps of a definition by name; empty if no engine has registered it on these tables. */
    public List<StepOutline> outline(String definition, int version) {
        Optional<String> graph = tables.autoCommitted(
                "show the steps of " + definition,
                session -> session.first(GRAPH, row -> row.getString(1), definition, version));
        return graph.stream()
                .flatMap(String::lines)
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new StepOutline(
                        line.group(1),
                        line.group(2),
                        line.group(3),
                        line.group(4).isEmpty()
                                ? List.of()
                                : List.of(line.group(4).split(","))))
                .toList();
    }

    /**
     * Lets a saga that is STUCK try again where it was, with as many attempts as in the beginning; one that pauses
     * between attempts tries at once.
     *
     * @throws SagaStateException if it is finished, waits for a reply or is being run
     */
    public void retry(UUID id, Decision decision) {
        act("retry", id, decision, SagaIntervention::retry);
    }

    /**
     * Lets a saga go on without the step, or without its compensation, that it is at. What the step may have done by
     * then stays and is not compensated.
     *
     * @throws SagaStateException if it is finished or not at this step
     */
    public void skip(UUID id, String step, Decision decision) {
        Objects.requireNonNull(step, "step");
        act("skip step '%s' of".formatted(step), id, decision, action -> action.skip(step));
    }

    /**
     * Ends what a saga is doing and undoes what it did.
     *
     * @throws SagaStateException if it is finished, on its way back, or past its pivot
     */
    public void cancel(UUID id, Decision decision) {
        act("cancel", id, decision, action -> action.turnBack("CANCEL", false));
    }

    /**
     * Undoes what a saga did although it is past its pivot, the point of no return. What has no compensation, such as
     * the pivot, stays done.
     *
     * @throws SagaStateException if it is finished or on its way back
     */
    public void compensateAfterPivot(UUID id, Decision decision) {
        act("compensate", id, decision, action -> action.turnBack("COMPENSATE", true));
    }

    /**
     * Replaces the context of a saga that is STUCK; {@link #retry} lets it go on with it.
     *
     * @param revision the one that the new context was made from
     * @param context as the saga's codec would write it
     * @throws SagaStateException if it is not STUCK or has changed since
     */
    public void editContext(UUID id, long revision, String context, Decision decision) {
        Objects.requireNonNull(context, "context");
        act("edit the context of", id, decision, action -> action.edit(revision, context));
    }

    /**
     * Returns sagas that nobody cares for: neither finished nor STUCK, claimed by nobody, and due for longer than
     * {@code grace} or never. While runners for all definitions are at work there is none.
     */
    public List<SagaSummary> neglected(Duration grace, int limit) {
        requireNotNegative("grace", grace);
        requireLimit(limit);
        return tables.autoCommitted("find neglected sagas", session -> new SagaSearch(session).neglected(grace, limit));
    }

    /**
     * Removes sagas that have been finished for at least {@code finishedFor}, with journal and audit trail. Their
     * business keys are free from then on, so that one that is started again runs again. Call it now and then on one or
     * more nodes.
     *
     * @param limit how many at most, in one short transaction
     * @return how many were removed; if it is the limit, there may be more
     */
    public int purge(Duration finishedFor, int limit) {
        requireNotNegative("finishedFor", finishedFor);
        requireLimit(limit);
        return tables.transacted("purge sagas", session -> new SagaPurge(session).finished(finishedFor, limit));
    }

    /**
     * Removes what participants remember of commands that came at least {@code age} ago. It must be longer than any
     * saga and any message may take: a command that comes later than that is taken for a new one.
     *
     * @param limit how many at most, or few more if they came at the same time, in one short transaction
     * @return how many were removed; if it is the limit, there may be more
     */
    public int purgeParticipants(Duration age, int limit) {
        requireNotNegative("age", age);
        requireLimit(limit);
        return tables.transacted("purge participants", session -> new SagaPurge(session).participants(age, limit));
    }

    private static void requireNotNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("%s must not be negative but was %s".formatted(what, value));
        }
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > Page.MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "limit must be from 1 to %d but was %d".formatted(Page.MAX_LIMIT, limit));
        }
    }

    private void act(String what, UUID id, Decision decision, Act act) {
        Objects.requireNonNull(decision, "decision");
        tables.transacted("%s saga %s".formatted(what, id), session -> {
            act.on(SagaIntervention.begin(session, what, id, decision));
            return id;
        });
    }

    @FunctionalInterface
    private interface Act {

        void on(SagaIntervention action) throws SQLException;
    }
}
