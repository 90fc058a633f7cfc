package dev.postrider.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.Kinds;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever is woken up must be able to paste the queries of the runbooks. */
final class RunbookSqlTest {

    private static final Path RUNBOOKS = Path.of("..", "docs", "runbooks");
    private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?);\n```", Pattern.DOTALL);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void everyQueryRuns(Kind kind) throws IOException {
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(5);

        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            assertThat(queries)
                    .allSatisfy(query ->
                            assertThatCode(() -> fixture.execute(query)).doesNotThrowAnyException());
        }
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        try (Stream<Path> pages = Files.list(RUNBOOKS)) {
            for (Path page : pages.sorted().toList()) {
                BLOCK.matcher(Files.readString(page))
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .forEach(queries::add);
            }
        }
        return queries;
    }
}
