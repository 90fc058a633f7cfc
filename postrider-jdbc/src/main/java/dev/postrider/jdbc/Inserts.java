package dev.postrider.jdbc;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.database.Micros;
import dev.postrider.database.SqlErrors;
import dev.postrider.database.SqlText;
import dev.postrider.jdbc.row.RowFields;
import dev.postrider.jdbc.row.Seal;
import dev.postrider.spi.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Inserts messages on the caller's connection. */
final class Inserts {

    static final String INSERT = JdbcOutbox.COLUMNS + """
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {later}, ?, ?, ?, ?, ?)
            """;

    // Most messages have no more than this, and every parameter costs. The rest is what the table has by default.
    private static final String INSERT_PLAIN = """
            insert into {message} (id, topic, message_key, shard, type, content_hash, payload)
            values (?, ?, ?, ?, ?, ?, ?)
            """;

    private static final int PLAIN_VERSION = 1;
    private static final String PLAIN_CONTENT_TYPE = "application/json";

    private static final String INSERT_PLAIN_AND_COMMIT = INSERT_PLAIN + PostgresSql.COMMIT;

    private static final String INSERT_AND_COMMIT = INSERT + PostgresSql.COMMIT;

    private final Connection connection;
    private final SqlText text;
    private final Seal seal;

    Inserts(Connection connection, SqlText text, Seal seal) {
        this.connection = connection;
        this.text = text;
        this.seal = seal;
    }

    List<Receipt> insert(List<OutboxMessage> messages) throws SQLException {
        List<Receipt> receipts = new ArrayList<>(messages.size());
        while (receipts.size() < messages.size()) {
            List<OutboxMessage> run = messages.subList(receipts.size(), endOfRun(messages, receipts.size()));
            boolean[] inserted = run.get(0).dedupeKey().isEmpty() ? insertAll(run) : insertOnce(run);
            for (int i = 0; i < inserted.length; i++) {
                receipts.add(new Receipt(run.get(i).id(), inserted[i]));
            }
        }
        return receipts;
    }

    /** Inserts and commits; a single message needs no round trip of its own where statements can be sent together. */
    List<Receipt> insertAndCommit(List<OutboxMessage> messages) throws SQLException {
        if (messages.size() != 1 || !OutboxDialect.of(text.dialect()).sendsTogether()) {
            List<Receipt> receipts = insert(messages);
            connection.commit();
            return receipts;
        }
        OutboxMessage message = messages.get(0);
        boolean plain = isPlain(message);
        String statement = plain ? INSERT_PLAIN_AND_COMMIT : insertAndCommit(message);
        try (PreparedStatement insert = connection.prepareStatement(text.of(statement))) {
            bind(insert, message, plain);
            insert.execute();
            return List.of(new Receipt(message.id(), insert.getUpdateCount() == 1));
        }
    }

    private String insertAndCommit(OutboxMessage message) {
        return message.dedupeKey().isEmpty()
                ? INSERT_AND_COMMIT
                : OutboxDialect.of(text.dialect()).insertOnce() + PostgresSql.COMMIT;
    }

    // Messages with and without a dedupe key need different statements, and the order is the order of the rows.
    private static int endOfRun(List<OutboxMessage> messages, int from) {
        boolean deduped = messages.get(from).dedupeKey().isPresent();
        int end = from + 1;
        while (end < messages.size() && messages.get(end).dedupeKey().isPresent() == deduped) {
            end++;
        }
        return end;
    }

    private boolean[] insertAll(List<OutboxMessage> run) throws SQLException {
        boolean plain = run.stream().allMatch(this::isPlain);
        execute(plain ? INSERT_PLAIN : INSERT, run, plain);
        boolean[] inserted = new boolean[run.size()];
        Arrays.fill(inserted, true);
        return inserted;
    }

    // The id belongs to the dedupe key, so the first row is known without reading it.
    private boolean[] insertOnce(List<OutboxMessage> run) throws SQLException {
        boolean[] inserted = new boolean[run.size()];
        if (OutboxDialect.of(text.dialect()).skipsDuplicates()) {
            int[] counts = execute(OutboxDialect.of(text.dialect()).insertOnce(), run, false);
            for (int i = 0; i < counts.length; i++) {
                inserted[i] = counts[i] == 1;
            }
        } else {
            for (int i = 0; i < inserted.length; i++) {
                inserted[i] = insertUnlessDuplicate(run.get(i));
            }
        }
        return inserted;
    }

    // A failed statement leaves the transaction as it was on the databases that report a duplicate by an error.
    private boolean insertUnlessDuplicate(OutboxMessage message) throws SQLException {
        try {
            execute(OutboxDialect.of(text.dialect()).insertOnce(), List.of(message), false);
            return true;
        } catch (SQLException e) {
            if (SqlErrors.duplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    private int[] execute(String statement, List<OutboxMessage> run, boolean plain) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(text.of(statement))) {
            if (run.size() == 1) {
                bind(insert, run.get(0), plain);
                return new int[] {insert.executeUpdate()};
            }
            for (OutboxMessage message : run) {
                bind(insert, message, plain);
                insert.addBatch();
            }
            return insert.executeBatch();
        }
    }

    private boolean isPlain(OutboxMessage message) {
        return seal.isPlain()
                && message.namespace().equals(OutboxMessage.DEFAULT_NAMESPACE)
                && message.version() == PLAIN_VERSION
                && message.contentType().equals(PLAIN_CONTENT_TYPE)
                && message.headers().isEmpty()
                && message.dedupeKey().isEmpty()
                && message.tenant().isEmpty()
                && message.maxAttempts().isEmpty()
                && message.deliverAfter().isZero();
    }

    private void bind(PreparedStatement insert, OutboxMessage message, boolean plain) throws SQLException {
        if (plain) {
            insert.setObject(1, text.dialect().id(message.id()));
            insert.setString(2, message.topic());
            RowFields.bindText(insert, 3, message.key().orElse(null));
            insert.setInt(4, Shards.of(message));
            insert.setString(5, message.type());
            seal.bindPlain(insert, 6, message);
            return;
        }
        RowFields.bind(insert, text.dialect(), message);
        if (message.deliverAfter().isZero()) {
            insert.setNull(13, Types.BIGINT);
        } else {
            insert.setLong(13, Micros.of(message.deliverAfter()));
        }
        seal.bind(insert, 14, message);
    }
}
