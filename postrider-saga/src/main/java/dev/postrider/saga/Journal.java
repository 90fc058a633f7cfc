package dev.postrider.saga;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What became of the steps of sagas. Whoever writes has locked the saga. */
final class Journal {

    private static final String SELECT = """
            select s.saga_id, s.step, s.direction, s.status, s.seq, s.attempts, s.command_id, s.error, s.started_at,
                   s.finished_at
              from {step} s
            """;

    private static final String OF_SAGA = SELECT + " where s.saga_id = ? order by s.seq";

    private static final String AWAITING = SELECT + " where s.command_id = ? and s.status = 'WAITING'";

    private static final String PLACE = """
            select coalesce(max(s.seq), 0) as last_seq,
                   coalesce(max(case when s.step = ? and s.direction = ? then 1 else 0 end), 0) as present
              from {step} s
             where s.saga_id = ?
            """;

    private static final String INSERT = """
            insert into {step} (status, attempts, command_id, error, finished_at, seq, saga_id, step, direction)
            values (?, ?, ?, ?, {later}, ?, ?, ?, ?)
            """;

    private static final String UPDATE = """
            update {step}
               set status = ?, attempts = ?, command_id = coalesce(?, command_id), error = coalesce(?, error),
                   started_at = case when ? then {now} else started_at end, finished_at = {later}, reported = ?
             where saga_id = ?
               and step = ?
               and direction = ?
            """;

    // What was refused is asked in a new command: the old one would be answered as before.
    private static final String FORGIVE = """
            update {step}
               set command_id = case when status = 'FAILED' then null else command_id end, attempts = 0
             where saga_id = ?
               and direction = ?
               and status not in ('DONE', 'SKIPPED')
            """;

    private static final String STOP_WAITING = """
            update {step}
               set status = 'STARTED'
             where status = 'WAITING'
               and saga_id = ?
               and direction = ?
               and step = ?
            """;

    private static final String UNREPORTED = SELECT + " where s.saga_id = ? and s.reported = false order by s.seq";

    private static final String REPORTED = """
            update {step}
               set reported = true
             where reported = false
               and saga_id = ?
            """;

    private final Session session;

    Journal(Session session) {
        this.session = session;
    }

    List<JournalEntry> of(UUID id) throws SQLException {
        return all(OF_SAGA, id);
    }

    /** Returns what replies have changed since the last time this was asked. */
    List<StepReport> takeUnreported(UUID id) throws SQLException {
        List<StepReport> reports =
                all(UNREPORTED, id).stream().map(StepReport::of).toList();
        if (!reports.isEmpty()) {
            session.update(REPORTED, id.toString());
        }
        return reports;
    }

    private List<JournalEntry> all(String sql, UUID id) throws SQLException {
        List<JournalEntry> entries = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(sql)) {
            Session.bind(statement, id.toString());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    entries.add(entry(row));
                }
            }
        }
        return entries;
    }

    void write(StepEntry entry) throws SQLException {
        write(entry, true);
    }

    // Two statements instead of an upsert: MariaDB's would also overwrite another step that has the command's id.
    /** Writes an entry. If it is not {@code reported}, the next runner tells the listener. */
    void write(StepEntry entry, boolean reported) throws SQLException {
        String id = entry.sagaId().toString();
        String direction = entry.direction().code();
        String error = FailureText.clean(entry.error());
        Long finished = entry.status().finished() ? 0L : null;
        Place place = place(entry);
        if (place.present()) {
            session.update(
                    UPDATE,
                    entry.status().name(),
                    entry.attempts(),
                    entry.commandId(),
                    error,
                    !entry.status().finished(),
                    finished,
                    reported,
                    id,
                    entry.step(),
                    direction);
        } else {
            session.update(
                    INSERT,
                    entry.status().name(),
                    entry.attempts(),
                    entry.commandId(),
                    error,
                    finished,
                    place.lastSeq() + 1,
                    id,
                    entry.step(),
                    direction);
        }
    }

    /** Lets what is not done in this direction be tried as often as if it had never been. */
    void forgive(UUID id, Direction direction) throws SQLException {
        session.update(FORGIVE, id.toString(), direction.code());
    }

    /** Lets a step whose reply did not come ask again; it may have happened all the same. */
    void stopWaiting(UUID id, Direction direction, String step) throws SQLException {
        session.update(STOP_WAITING, id.toString(), direction.code(), step);
    }

    /** Returns the saga whose step waits for the reply to a command. */
    Optional<UUID> sagaAwaiting(String commandId) throws SQLException {
        try (PreparedStatement statement = session.prepare(AWAITING)) {
            Session.bind(statement, commandId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(UUID.fromString(row.getString("saga_id"))) : Optional.empty();
            }
        }
    }

    private Place place(StepEntry entry) throws SQLException {
        try (PreparedStatement statement = session.prepare(PLACE)) {
            Session.bind(
                    statement,
                    entry.step(),
                    entry.direction().code(),
                    entry.sagaId().toString());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Place(row.getInt("last_seq"), row.getInt("present") == 1);
            }
        }
    }

    private JournalEntry entry(ResultSet row) throws SQLException {
        return new JournalEntry(
                row.getString("step"),
                Direction.of(row.getString("direction")),
                StepStatus.valueOf(row.getString("status")),
                row.getInt("seq"),
                row.getInt("attempts"),
                row.getString("command_id"),
                row.getString("error"),
                Objects.requireNonNull(session.dialect().time(row, "started_at")),
                session.dialect().time(row, "finished_at"));
    }

    private record Place(int lastSeq, boolean present) {}
}
