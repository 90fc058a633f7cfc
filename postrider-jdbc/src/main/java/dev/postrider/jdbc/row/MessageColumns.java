package dev.postrider.jdbc.row;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Where the columns of a message are in a result. */
final class MessageColumns {

    // The places of the texts in what texts() returns.
    static final int NAMESPACE = 0;
    static final int TOPIC = 1;
    static final int KEY = 2;
    static final int TYPE = 3;
    static final int TENANT = 4;
    static final int DEDUPE_KEY = 5;
    static final int CONTENT_TYPE = 6;
    static final int HEADERS = 7;
    static final int PAYLOAD_KEY = 8;

    private static final String[] TEXTS = {
        "namespace", "topic", "message_key", "type", "tenant", "dedupe_key", "content_type", "headers", "payload_key"
    };
    private static final int ABSENT = 0;

    final int seq;
    final int id;
    final int version;
    final int contentHash;
    final int mac;
    final int macKey;
    final int maxAttempts;
    final int attempts;
    final int payload;

    // Only a claim has these.
    final int shard;
    final int lostClaims;
    final int onTrial;
    final int holdsKey;

    private final int[] texts = new int[TEXTS.length];

    MessageColumns(ResultSet rows, boolean claimed) throws SQLException {
        this.seq = rows.findColumn("seq");
        this.id = rows.findColumn("id");
        this.version = rows.findColumn("version");
        this.contentHash = rows.findColumn("content_hash");
        this.mac = rows.findColumn("mac");
        this.macKey = rows.findColumn("mac_key");
        this.maxAttempts = rows.findColumn("max_attempts");
        this.attempts = rows.findColumn("attempts");
        this.payload = rows.findColumn("payload");
        this.shard = claimed ? rows.findColumn("shard") : ABSENT;
        this.lostClaims = claimed ? rows.findColumn("lost_claims") : ABSENT;
        this.onTrial = claimed ? rows.findColumn("on_trial") : ABSENT;
        this.holdsKey = claimed ? rows.findColumn("holds_key") : ABSENT;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = rows.findColumn(TEXTS[i]);
        }
    }

    /**
     * Reads all texts of a row. In a loop, because all of a driver's code would be compiled into every single call, and
     * a relay that has just started spends more on its compiler than on its messages.
     */
    String[] texts(ResultSet row) throws SQLException {
        String[] values = new String[texts.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.getString(texts[i]);
        }
        return values;
    }
}
