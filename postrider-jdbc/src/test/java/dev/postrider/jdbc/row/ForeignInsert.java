package dev.postrider.jdbc.row;

import dev.postrider.jdbc.Fixture;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The INSERT that docs/any-language.md gives to other languages, read from that page.
 *
 * @param sql the statement, with {@code :name} for each value
 */
record ForeignInsert(String sql) {

    private static final Path PAGE = Path.of("..", "docs", "any-language.md");
    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)");
    private static final Pattern SHARD = Pattern.compile("^\\| `(.+)` \\| (\\d+) \\|$", Pattern.MULTILINE);

    static ForeignInsert of(Kind kind) {
        String section = switch (kind) {
            case POSTGRES_15, POSTGRES_18 -> "PostgreSQL";
            case MARIADB, MYSQL -> "MariaDB and MySQL";
            case H2 -> "H2";
        };
        Matcher statement = Pattern.compile(
                        "^## " + section + "$.*?^```sql\\n(.*?);\\n```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page());
        if (!statement.find()) {
            throw new IllegalStateException(PAGE + " has no statement in the section " + section);
        }
        return new ForeignInsert(statement.group(1));
    }

    /** Returns the table of keys and their shards. */
    static Map<String, Integer> documentedShards() {
        return SHARD.matcher(page())
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> Integer.parseInt(row.group(2))));
    }

    void run(Fixture fixture, Map<String, @Nullable Object> values) {
        Object[] parameters = PARAMETER
                .matcher(sql)
                .results()
                .map((MatchResult parameter) -> values.get(parameter.group(1)))
                .toArray();
        fixture.update(PARAMETER.matcher(sql).replaceAll("?"), parameters);
    }

    private static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + PAGE, e);
        }
    }
}
