package dev.postrider.saga;

import dev.postrider.OutboxException;
import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.Optional;

/** The definitions that were ever registered. */
final class Definitions {

    private static final String FIND = "select d.structure_hash from {definition} d where d.name = ? and d.version = ?";

    private static final String INSERT =
            "insert into {definition} (name, version, structure_hash, graph) values (?, ?, ?, ?)";

    private final Session session;

    Definitions(Session session) {
        this.session = session;
    }

    void register(SagaVersion definition, String structureHash, String graph) throws SQLException {
        Optional<String> stored = find(definition);
        if (stored.isEmpty() && !insert(definition, structureHash, graph)) {
            stored = find(definition);
        }
        if (stored.isPresent() && !stored.get().equals(structureHash)) {
            throw new OutboxException(
                    "Saga %s is registered with other steps: its running sagas would meet steps they do not know. Give the changed definition a new version and keep the old one registered until its sagas are finished"
                            .formatted(definition));
        }
    }

    private Optional<String> find(SagaVersion definition) throws SQLException {
        return session.first(FIND, row -> row.getString(1), definition.name(), definition.version());
    }

    // Two nodes that start at once register the same definition.
    private boolean insert(SagaVersion definition, String structureHash, String graph) throws SQLException {
        return session.insertOnce(INSERT, definition.name(), definition.version(), structureHash, graph);
    }
}
