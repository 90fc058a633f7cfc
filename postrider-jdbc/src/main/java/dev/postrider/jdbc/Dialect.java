package dev.postrider.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases. Statements name the dialect's expressions by placeholders: {@code {now}} is the
 * database's clock, {@code {later}} the clock plus a parameter in microseconds, {@code {at}} a time given in
 * microseconds since 1970, {@code {infinity}} the time of a message that waits for the one ahead of it.
 */
interface Dialect {

    /** The folder of the schema files. */
    String folder();

    /** Returns the statement with the dialect's expressions. */
    String in(String statement);

    /** Inserts a message unless one with its dedupe key is there. */
    String insertOnce();

    /** Whether {@link #insertOnce} inserts no row for a duplicate; otherwise it fails and changes nothing. */
    boolean skipsDuplicates();

    /** Whether an error ends the transaction, so that the caller cannot commit without the message. */
    boolean endsTransactionOnError();

    /** Whether several statements, also a commit, can be sent in one round trip. */
    default boolean sendsTogether() {
        return false;
    }

    /** Whether the driver needs a round trip to tell the isolation of a connection. */
    default boolean asksForIsolation() {
        return false;
    }

    /** Whether a statement may be given a time limit. H2 would keep it for the whole connection. */
    boolean limitsStatements();

    /** Makes the server end a transaction whose client has frozen, so that its locks do not stay for ever. */
    default List<String> beforeTransaction() {
        return List.of();
    }

    /** Undoes {@link #beforeTransaction}. */
    default List<String> afterTransaction() {
        return List.of();
    }

    /** Keeps the planner of this transaction on the indexes that fit, whatever it believes about the table. */
    default List<String> fixPlan() {
        return List.of();
    }

    /** Returns the form in which an id is bound. */
    Object id(UUID id);

    /** Reads an id. */
    UUID id(ResultSet row, String column) throws SQLException;

    /** Returns the form in which a time is bound; it must be a whole number of microseconds. */
    Object time(Instant time);

    /** Reads a time; null if there is none or if it is {@code {infinity}}. */
    @Nullable Instant time(ResultSet row, String column) throws SQLException;

    /** Returns how messages are claimed, and with which keys their rows are read. */
    Claims claims(Transactions transactions, RowKeys keys);

    /** Returns how shards are taken over. */
    Acquisition acquisition();

    /** Returns how outcomes are written. */
    Outcomes outcomes(Transactions transactions, boolean deleteDelivered);

    /** Returns how messages that hold their keys are found. */
    HeldKeys heldKeys();

    /** Makes every other process that changes the same schema wait until {@link #unlockSchema}. */
    void lockSchema(Connection connection, TableNames names) throws SQLException;

    /** Lets the next one change the schema. */
    void unlockSchema(Connection connection, TableNames names) throws SQLException;

    /** Tells whether the server takes no writes, as a standby does. */
    boolean readOnly(Connection connection) throws SQLException;
}
