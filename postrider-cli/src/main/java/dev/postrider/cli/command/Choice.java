package dev.postrider.cli.command;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a list: which rows, how many, from where. */
final class Choice {

    private static final int MOST = 100_000;
    private static final Pattern NAMES_STATE = Pattern.compile("(^|\\s)status:");

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "FILTER",
            description = "Which ones, such as 'topic:orders type:order-placed key:42 age:>5m error:timeout'."
                    + " The console has the same grammar.")
    @Nullable String filter;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "How many rows at most. Default: ${DEFAULT-VALUE}.",
            defaultValue = "50")
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

    /** Returns a filter that finds only messages in this state, unless it names a state itself. */
    static String inState(String state, @Nullable String filter) {
        if (filter == null || filter.isBlank()) {
            return "status:" + state;
        }
        return NAMES_STATE.matcher(filter).find() ? filter : "status:" + state + " " + filter;
    }
}
