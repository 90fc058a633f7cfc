package dev.postrider.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row that may be claimed, without its payload. */
record Candidate(long seq, int shard, @Nullable KeyName key, long bytes) {

    /** What is read of a row to make a candidate. */
    static final String COLUMNS =
            "m.seq, m.shard, m.namespace, m.topic, m.message_key, octet_length(m.payload) as bytes";

    static Candidate of(ResultSet row) throws SQLException {
        String key = row.getString("message_key");
        return new Candidate(
                row.getLong("seq"),
                row.getInt("shard"),
                key == null ? null : new KeyName(row.getString("namespace"), row.getString("topic"), key),
                row.getLong("bytes"));
    }
}
