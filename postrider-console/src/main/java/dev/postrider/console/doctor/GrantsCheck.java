package dev.postrider.console.doctor;

import dev.postrider.database.SqlErrors;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether the console's user may do what operators do. Each statement changes no row. */
final class GrantsCheck implements DatabaseCheck {

    private static final Map<String, String> QUESTIONS = new LinkedHashMap<>();

    static {
        QUESTIONS.put("read messages", "select m.seq from {message} m where 1 = 0");
        QUESTIONS.put("requeue messages", "update {message} set status = status where 1 = 0");
        QUESTIONS.put("discard messages", "delete from {message} where 1 = 0");
        QUESTIONS.put("read attempts", "select a.message_id from {attempt} a where 1 = 0");
        QUESTIONS.put("read the audit trail", "select a.entry from {audit} a where 1 = 0");
        QUESTIONS.put("read the archive", "select a.seq from {archive} a where 1 = 0");
        QUESTIONS.put("restore from the archive", "delete from {archive} where 1 = 0");
        QUESTIONS.put("read relays", "select r.id from {relay} r where 1 = 0");
        QUESTIONS.put("read closed topics", "select g.topic from {gate} g where 1 = 0");
        QUESTIONS.put("pause relays and topics", "update {control} set mode = mode where 1 = 0");
        QUESTIONS.put("run bulk actions", "update {bulk} set status = status where 1 = 0");
    }

    @Override
    public String name() {
        return "grants";
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        List<String> denied = new ArrayList<>();
        for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
            try {
                session.run(question.getValue());
            } catch (SQLException e) {
                if (SqlErrors.missingTable(e)) {
                    return List.of(Finding.skipped(name(), "Tables are missing"));
                }
                if (!SqlErrors.denied(e)) {
                    throw e;
                }
                denied.add(question.getKey());
            }
        }
        if (denied.isEmpty()) {
            return List.of(Finding.ok(
                    name(), "The console's user has the grants of an operator", "Operators can do all actions."));
        }
        return List.of(Finding.warn(
                name(),
                "The console's user may not: " + String.join(", ", denied),
                "Operators get an error for these actions; delivery is not concerned.",
                "Grant them as docs/operations.md says under 'Least privilege'."));
    }
}
