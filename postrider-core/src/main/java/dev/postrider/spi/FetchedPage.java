package dev.postrider.spi;

import java.util.List;

/**
 * What one fetch read of a range.
 *
 * @param rows in enqueue order
 * @param scannedTo every row up to here that is PENDING, does not wait and was asked for is in {@code rows}. The
 *     beginning of the range if the relay does not own every shard it asked for
 * @param full whether the fetch did not reach the end of the range: a limit ended it, or the relay does not own every
 *     shard it asked for
 * @param seen how many rows the range has up to {@code scannedTo}, whatever their state, shard and topic
 * @param holes ranges up to {@code scannedTo} that hold at least one sequence without a row: it was rolled back, or its
 *     transaction has not committed yet
 */
public record FetchedPage(List<FetchedRow> rows, long scannedTo, boolean full, int seen, List<SeqRange> holes) {

    /** Copies the lists. */
    public FetchedPage {
        rows = List.copyOf(rows);
        holes = List.copyOf(holes);
    }
}
