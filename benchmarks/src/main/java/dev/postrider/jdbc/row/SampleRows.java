package dev.postrider.jdbc.row;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.database.Dialect;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.spi.ClaimedMessage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Consumer;
import org.h2.jdbcx.JdbcDataSource;

/** A batch of rows as a claim returns them, in a result of H2 that can be read again and again. */
final class SampleRows implements AutoCloseable {

    static final int COUNT = 500;

    private static final String RELAY = "relay-00000001";
    private static final long TOKEN = 1;

    private final Connection connection;
    private final MessageRows mapping;
    private final ResultSet rows;

    private SampleRows(Connection connection) throws SQLException {
        this.connection = connection;
        this.mapping = new MessageRows(Dialect.of(connection), RowKeys.NONE);
        this.rows = connection
                .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
                .executeQuery("select " + MessageRows.CLAIMED + " from outbox_message m order by m.seq");
    }

    static SampleRows open() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        try {
            Connection connection = dataSource.getConnection();
            OutboxSchema.of(dataSource).migrate();
            enqueue(connection);
            SampleRows sample = new SampleRows(connection);
            sample.check();
            return sample;
        } catch (SQLException e) {
            throw new OutboxException("Could not make the rows", e);
        }
    }

    private static void enqueue(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        JdbcOutbox outbox = JdbcOutbox.create();
        Cargo cargo = new Cargo(COUNT);
        for (int number = 0; number < COUNT; number++) {
            outbox.enqueue(
                    connection,
                    OutboxMessage.to(Cargo.TOPIC, Cargo.TYPE)
                            .key(cargo.key(number))
                            .headers(HeaderCodecBenchmark.HEADERS)
                            .payload(Cargo.bytes(Cargo.payload(number)))
                            .build());
        }
        connection.commit();
    }

    // A row with a defect would be cheaper than a sound one.
    private void check() throws SQLException {
        int sound = 0;
        while (rows.next()) {
            sound += mapping.claimed(rows, TOKEN, RELAY).defect() == null ? 1 : 0;
        }
        if (sound != COUNT) {
            throw new IllegalStateException("Only %d of %d rows are sound".formatted(sound, COUNT));
        }
    }

    /** Maps all rows from the first on. */
    void map(Consumer<ClaimedMessage> messages) throws SQLException {
        rows.beforeFirst();
        while (rows.next()) {
            messages.accept(mapping.claimed(rows, TOKEN, RELAY));
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
