package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.Shards;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files in {@code src/test/resources/sql/postgresql} are what the relay sends, with sample values that psql fills
 * in: {@code psql -f fetch.sql} runs one. A test that fails leaves the new text in {@code target/sql}.
 */
final class PostgresStatementFilesTest {

    private static final String EPOCHS = String.join(",", Collections.nCopies(Shards.COUNT, "1"));
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("after", "0"),
            Map.entry("afters", "'{0}'"),
            Map.entry("after_at", "'-infinity'"),
            Map.entry("all_topics", "true"),
            Map.entry("attempt", "1"),
            Map.entry("attempts", "'{1}'"),
            Map.entry("bytes", "1000000"),
            Map.entry("delays", "'{1000000}'"),
            Map.entry("dues", "'{null}'"),
            Map.entry("ended", "'{}'"),
            Map.entry("epochs", "'{" + EPOCHS + "}'"),
            Map.entry("error", "'expired'"),
            Map.entry("errors", "'{refused}'"),
            Map.entry("failures", "'{refused}'"),
            Map.entry("holders", "'{1}'"),
            Map.entry("holding", "'{true}'"),
            Map.entry("ids", "'{00000000-0000-0000-0000-000000000001}'"),
            Map.entry("in_flight", "'{}'"),
            Map.entry("keys", "'{customer-1}'"),
            Map.entry("max_attempts", "5"),
            Map.entry("micros", "60000000"),
            Map.entry("most", "100"),
            Map.entry("namespace", "null"),
            Map.entry("namespaces", "'{default}'"),
            Map.entry("on_trial", "false"),
            Map.entry("only", "false"),
            Map.entry("outcomes", "'{0}'"),
            Map.entry("owner", "'me'"),
            Map.entry("relay", "'me'"),
            Map.entry("relays", "'{me}'"),
            Map.entry("rows", "1000"),
            Map.entry("seqs", "'{2}'"),
            Map.entry("shards", "'{0}'"),
            Map.entry("size", "100"),
            Map.entry("statuses", "'{0}'"),
            Map.entry("token", "1"),
            Map.entry("tokens", "'{1}'"),
            Map.entry("took", "'{10}'"),
            Map.entry("topics", "'{orders}'"),
            Map.entry("up_to", "1000"),
            Map.entry("up_tos", "'{1000}'"));

    private static final Pattern VARIABLE = Pattern.compile("(?<!:):([a-z_]+)");

    static Stream<File> files() {
        return Stream.of(
                file("acquire.sql", "select 2 - count(*) from outbox_relay", "", PostgresTakeover.ACQUIRE),
                file("appeared.sql", "select 1", "", PostgresFetch.APPEARED),
                file(
                        "claim_unsharded.sql",
                        "select count(*) from outbox_message where seq = 1 and claimed_by = 'me'",
                        "",
                        PostgresManualClaims.CLAIM),
                file("fetch.sql", "select count(*) from outbox_claim where seqs = '{1,2}'", "", PostgresFetch.FETCH),
                file(
                        "fetch_due.sql",
                        "select count(*) from outbox_claim where seqs = '{3}'",
                        "",
                        PostgresFetch.FETCH_DUE),
                file("locked.sql", "select 1", "", PostgresOutcomes.LOCKED),
                file(
                        "settle_delivered.sql",
                        "select count(*) from outbox_message where seq = 2 and status = 2",
                        PostgresSql.FIXED_SETTLEMENT,
                        PostgresOutcomes.DELIVER),
                file(
                        "settle.sql",
                        "select count(*) from outbox_message where seq = 2 and last_error = 'refused'",
                        PostgresSql.FIXED_SETTLEMENT,
                        PostgresOutcomes.SETTLE,
                        PostgresOutcomes.TRY,
                        PostgresOutcomes.PUT_BEHIND,
                        PostgresHeldKeys.PROMOTE,
                        PostgresAttempts.INSERT,
                        PostgresAttempts.TRIM),
                file(
                        "settle_deleted.sql",
                        "select 4 - count(*) from outbox_message",
                        PostgresSql.FIXED_SETTLEMENT,
                        PostgresOutcomes.DELETE),
                file(
                        "unblock.sql",
                        "select count(*) from outbox_message where seq = 4 and isfinite(due_at)",
                        "",
                        PostgresHeldKeys.UNBLOCK));
    }

    private static File file(String name, String proof, String settings, NamedSql... statements) {
        return new File(name, proof, settings, List.of(statements));
    }

    /**
     * A file, and what the relay sends in one round trip.
     *
     * @param proof a query that returns 1 if the file did its work
     */
    record File(String name, String proof, String settings, List<NamedSql> statements) {

        @Override
        public String toString() {
            return name;
        }

        String rendered() {
            String sql = settings
                    + statements.stream().map(each -> each.template().strip()).collect(Collectors.joining(";\n\n"));
            String whole = (sql.startsWith(PostgresSql.BEGIN) ? "" : PostgresSql.BEGIN)
                    + sql
                    + (sql.endsWith("commit") ? ";\n" : ";\ncommit;\n");
            TreeSet<String> names = new TreeSet<>();
            statements.forEach(each -> names.addAll(each.names()));
            String variables = names.stream()
                    .map(name -> "\\set %s %s\n".formatted(name, quoted(sample(name))))
                    .collect(Collectors.joining());
            return variables + "\n"
                    + OutboxDialect.text(TableNames.defaults(), Dialect.POSTGRESQL)
                            .of(whole);
        }

        private static String quoted(String value) {
            return "'" + value.replace("'", "''") + "'";
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void fileHoldsWhatIsSent(File file) throws IOException {
        String rendered = file.rendered();

        String checkedIn = checkedIn(file);

        if (!rendered.equals(checkedIn)) {
            Path folder = Files.createDirectories(Path.of("target", "sql"));
            Files.writeString(folder.resolve(file.name()), rendered);
        }
        assertThat(checkedIn).isEqualTo(rendered);
    }

    @ParameterizedTest
    @MethodSource("files")
    void fileDoesItsWork(File file) throws IOException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            HandRelay.join(fixture, "me");
            fixture.enqueue(4);
            fixture.execute(
                    "insert into outbox_relay (id, until) values ('dead', now())",
                    "update outbox_message set due_at = now() where seq = 3",
                    "update outbox_message set shard = 0, due_at = 'infinity', holds_key = true where seq = 4");
            String statements = checkedIn(file).replaceAll("(?m)^\\\\set .*\n", "");

            fixture.execute(VARIABLE.matcher(statements).replaceAll(name -> sample(name.group(1))));

            assertThat(fixture.number(file.proof)).isEqualTo(1);
        }
    }

    private static String sample(String name) {
        return Objects.requireNonNull(SAMPLES.get(name), name);
    }

    private static String checkedIn(File file) throws IOException {
        try (InputStream in = PostgresStatementFilesTest.class.getResourceAsStream("/sql/postgresql/" + file.name())) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
