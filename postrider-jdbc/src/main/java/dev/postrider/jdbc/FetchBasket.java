package dev.postrider.jdbc;

import dev.postrider.database.Dialect;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.TopicName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Chooses the rows of one fetch up to its size. Not thread-safe: one for each fetch. */
final class FetchBasket {

    /**
     * A row that a fetch looks at, without its payload.
     *
     * @param open whether the row is PENDING, or was claimed without a shard and that claim has expired
     */
    record Row(long seq, @Nullable Instant dueAt, int shard, TopicName topic, long bytes, boolean open) {

        static Row of(Dialect dialect, ResultSet row) throws SQLException {
            return new Row(
                    row.getLong("seq"),
                    dialect.time(row, "due_at"),
                    row.getInt("shard"),
                    new TopicName(row.getString("namespace"), row.getString("topic")),
                    row.getLong("bytes"),
                    row.getInt("is_open") == 1);
        }

        DuePosition position() {
            return new DuePosition(Objects.requireNonNull(dueAt), seq);
        }
    }

    private final FetchRequest request;
    private final List<Row> taken = new ArrayList<>();
    private long bytes;
    private boolean cut;

    FetchBasket(FetchRequest request) {
        this.request = request;
    }

    /** Takes the row if it was asked for and there is room; the first one that does not fit ends the fetch. */
    void offer(Row row) {
        if (cut || !isAskedFor(row)) {
            return;
        }
        boolean fits = taken.isEmpty()
                || (taken.size() < request.size().messages()
                        && bytes + row.bytes <= request.size().bytes());
        if (fits) {
            taken.add(row);
            bytes += row.bytes;
        } else {
            cut = true;
        }
    }

    private boolean isAskedFor(Row row) {
        return row.open
                && request.epochs().containsKey(row.shard)
                && request.topics().includes(row.topic)
                && !request.inFlight().contains(row.seq);
    }

    /** Whether a row was left because there was no room. */
    boolean isCut() {
        return cut;
    }

    /** Returns the last row taken. */
    Row last() {
        return taken.get(taken.size() - 1);
    }

    List<Long> seqs() {
        return taken.stream().map(Row::seq).toList();
    }
}
