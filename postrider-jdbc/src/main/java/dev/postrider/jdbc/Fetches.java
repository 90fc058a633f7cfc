package dev.postrider.jdbc;

import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.Writer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a relay reads rows, which every database does in its own way. */
interface Fetches {

    FetchedPage fetch(FetchRequest request, SeqRange range, int rows);

    FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after);

    List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes);

    /** Returns empty if this database cannot list the transactions that may still add rows. */
    default Optional<Set<Writer>> writers() {
        return Optional.empty();
    }
}
