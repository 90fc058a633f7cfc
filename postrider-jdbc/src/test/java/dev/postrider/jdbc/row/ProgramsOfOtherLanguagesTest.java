package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.Outlet;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs that docs/any-language.md shows are run as they stand there. */
@Tag("B6")
final class ProgramsOfOtherLanguagesTest {

    private static final Path PAGE = Path.of("..", "docs", "any-language.md");
    private static final Path DRIVERS = Path.of("target", "drivers").toAbsolutePath();

    /** A program of the page, what runs it, and how its driver gets into a folder if the machine has none. */
    private enum Language {
        SHELL("psql", "sh", List.of("sh", "-c"), List.of("psql", "--version"), List.of()),
        PYTHON(
                "Python",
                "python",
                List.of("python3", "-c"),
                List.of("python3", "-c", "import psycopg2"),
                List.of("python3", "-m", "pip", "install", "-q", "--target", "FOLDER", "psycopg2-binary==2.9.13")),
        NODE(
                "Node",
                "js",
                List.of("node", "-e"),
                List.of("node", "-e", "require('pg')"),
                List.of("npm", "install", "--silent", "--prefix", "FOLDER", "pg@8.16.3"));

        private final String section;
        private final String fence;
        private final List<String> run;
        private final List<String> probe;
        private final List<String> install;

        Language(String section, String fence, List<String> run, List<String> probe, List<String> install) {
            this.section = section;
            this.fence = fence;
            this.run = run;
            this.probe = probe;
            this.install = install;
        }

        private Path folder() {
            return DRIVERS.resolve(fence);
        }

        private String program() throws IOException {
            Matcher program = Pattern.compile(
                            "^### " + section + "$.*?^```" + fence + "\\n(.*?)^```$",
                            Pattern.MULTILINE | Pattern.DOTALL)
                    .matcher(Files.readString(PAGE));
            assertThat(program.find())
                    .as("the page has a program of " + section)
                    .isTrue();
            return program.group(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProgramOfThePageEnqueuesAMessageThatIsDelivered(Language language) throws Exception {
        try (Outlet outlet = Outlet.open(Kinds.require(Kind.POSTGRES_18))) {
            require(language);

            String printed = run(language, outlet.fixture().database(), with(language.run, language.program()));

            UUID id = id(printed);
            outlet.startRelay();
            outlet.await(() -> outlet.count(MessageStatus.DELIVERED) == 1);
            OutboxMessage received = outlet.received().get(0);
            assertThat(received.id()).isEqualTo(id);
            assertThat(received.key()).contains("42");
            assertThat(received.type()).isEqualTo("order-placed");
            assertThat(new String(received.payload(), StandardCharsets.UTF_8)).containsPattern("\"total\": ?10");
            assertThat(outlet.heard()).isEmpty();
        }
    }

    private static void require(Language language) throws Exception {
        if (works(language, language.probe)) {
            return;
        }
        if (!language.install.isEmpty()) {
            Files.createDirectories(language.folder());
            List<String> install = language.install.stream()
                    .map(part -> part.equals("FOLDER") ? language.folder().toString() : part)
                    .toList();
            works(language, install);
        }
        boolean works = works(language, language.probe);
        if (!Boolean.parseBoolean(System.getenv("CI"))) {
            Assumptions.assumeTrue(works, () -> language + " or its driver is not on this machine");
        }
        assertThat(works).as("the driver of " + language).isTrue();
    }

    private static boolean works(Language language, List<String> command) throws Exception {
        try {
            Process process = start(language, command);
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(Language language, Database database, List<String> command) throws Exception {
        ProcessBuilder builder = builder(language, command);
        String server =
                database.jdbcUrl().replaceFirst("^jdbc:postgresql://", "").replaceFirst("\\?.*$", "");
        builder.environment()
                .put("DATABASE_URL", "postgresql://%s:%s@%s".formatted(database.user(), database.password(), server));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private static Process start(Language language, List<String> command) throws IOException {
        return builder(language, command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static ProcessBuilder builder(Language language, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", language.folder().toString());
        builder.environment()
                .put("NODE_PATH", language.folder().resolve("node_modules").toString());
        return builder;
    }

    private static List<String> with(List<String> run, String program) {
        return Stream.concat(run.stream(), Stream.of(program)).toList();
    }

    private static UUID id(String printed) {
        Matcher id =
                Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").matcher(printed);
        assertThat(id.find()).as(printed).isTrue();
        return UUID.fromString(id.group());
    }
}
