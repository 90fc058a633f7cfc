package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Whether the indexes are there that keep fetches and lists cheap. */
final class IndexCheck implements DatabaseCheck {

    private static final Map<String, List<String>> EXPECTED = Map.of(
            "message", List.of("message_id", "message_dedupe", "message_due", "message_holder", "message_dead"),
            "attempt", List.of("attempt_message", "attempt_ended"),
            "audit", List.of("audit_created", "audit_message"),
            "archive", List.of("archive_id", "archive_replaced", "archive_archived"));

    private static final String INVALID = """
            select c.relname
              from pg_index i
              join pg_class c on c.oid = i.indexrelid
              join pg_class t on t.oid = i.indrelid
             where t.oid = to_regclass(?) and not i.indisvalid
            """;

    @Override
    public String name() {
        return "indexes";
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        Set<String> missing = new TreeSet<>();
        for (Map.Entry<String, List<String>> table : EXPECTED.entrySet()) {
            Set<String> found = indexes(session, table.getKey());
            if (found.isEmpty()) {
                return List.of(Finding.skipped(name(), "Tables are missing, or their indexes cannot be read"));
            }
            table.getValue().stream()
                    .map(each -> session.names().prefix() + each)
                    .filter(each -> !found.contains(each.toLowerCase(Locale.ROOT)))
                    .forEach(missing::add);
        }
        List<Finding> findings = new ArrayList<>();
        if (session.dialect() == Dialect.POSTGRESQL) {
            session.value(INVALID, session.names().in("{message}"))
                    .ifPresent(index -> findings.add(Finding.warn(
                            name(),
                            "The index %s is invalid".formatted(index),
                            "The planner does not use it, so fetches read the whole table.",
                            "Run 'reindex index concurrently %s'.".formatted(index))));
        }
        findings.add(
                missing.isEmpty()
                        ? Finding.ok(name(), "All indexes are there", "Fetches and lists read few rows.")
                        : Finding.bad(
                                name(),
                                "Indexes are missing: " + String.join(", ", missing),
                                "Fetches and lists read whole tables; delivery slows down as the tables grow.",
                                "Create them as 'postrider schema sql' prints them."));
        return findings;
    }

    private static Set<String> indexes(DoctorSession session, String table) throws SQLException {
        DatabaseMetaData meta = session.connection().getMetaData();
        String name = session.names().prefix() + table;
        String shown = meta.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
        if (meta.storesLowerCaseIdentifiers()) {
            shown = name.toLowerCase(Locale.ROOT);
        }
        String schema = session.names().schema() == null
                ? session.connection().getSchema()
                : session.names().schema();
        Set<String> names = new TreeSet<>();
        boolean catalogs = session.dialect() == Dialect.MARIADB || session.dialect() == Dialect.MYSQL;
        String catalog = session.names().schema() != null && catalogs
                ? session.names().schema()
                : session.connection().getCatalog();
        try (ResultSet rows = meta.getIndexInfo(catalog, catalogs ? null : schema, shown, false, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                if (index != null) {
                    names.add(index.toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }
}
