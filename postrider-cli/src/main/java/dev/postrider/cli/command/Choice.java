package dev.postrider.cli.command;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a list: which rows, how many, from where. */
final class Choice {

    private static final int MOST = 100_000;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "FILTER",
            description = "Which ones, such as 'topic:orders type:order-placed key:42 age:>5m error:timeout'."
                    + " The console has the same grammar.")
    @Nullable String filter;

    @Option(names = "--limit", paramLabel = "N", description = "How many rows at most. Default: ${DEFAULT-VALUE}.", defaultValue = "50")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Goes on where an earlier list ended.")
    @Nullable String cursor;

    Map<String, String> query() {
        Map<String, String> query = new HashMap<>();
        if (filter != null) {
            query.put("filter", filter);
        }
        if (cursor != null) {
            query.put("cursor", cursor);
        }
        return query;
    }

    int limit(CliSession session) {
        if (limit < 1 || limit > MOST) {
            throw session.usage("--limit must be from 1 to %,d but was %d".formatted(MOST, limit));
        }
        return limit;
    }

    /** Returns a filter that finds only messages in this state. */
    static String inState(String state, @Nullable String filter) {
        return filter == null || filter.isBlank() ? "status:" + state : "status:" + state + " " + filter;
    }
}
