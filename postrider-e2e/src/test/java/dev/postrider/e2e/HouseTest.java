package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HouseTest {

    private static final Path SCRIPT = Path.of("../scripts/house");
    private static final String CODE = "postrider-core/src/main/java/dev/postrider/";

    @TempDir
    Path root;

    @BeforeEach
    void layOut() throws IOException {
        assumeTrue(pythonExists(), "python3 is missing");
        write("docs/guide.md", "# Guide\n");
        write("scripts/house-homonyms", "");
        write(CODE + "relay/Lanes.java", type("Lanes", 301));
        write(CODE + "admin/Page.java", type("Page", 20));
        Files.copy(SCRIPT, root.resolve("scripts/house"));
        assertThat(house("--write").status()).isZero();
    }

    @Test
    void houseIsAsItsPageSays() {
        ScriptRun run = ScriptRun.of(SCRIPT, "--check");

        assertThat(run.output()).isEmpty();
        assertThat(run.status()).isZero();
    }

    @Test
    void openAimIsListedAndPasses() throws IOException {
        assertThat(Files.readString(root.resolve("docs/house.md"))).contains("- `Lanes`: 301 lines without imports");
        assertThat(house("--check").status()).isZero();
    }

    @Test
    void fileThatGrowsAboveItsOpenAimFails() throws IOException {
        write(CODE + "relay/Lanes.java", type("Lanes", 302));

        assertWorse("- `Lanes`: 302 lines");
    }

    @Test
    void importsDoNotMakeAFileWorse() throws IOException {
        write(CODE + "relay/Lanes.java", "import java.util.List;\n" + type("Lanes", 301));

        assertThat(house("--check").status()).isZero();
    }

    @Test
    void sqlOfAFileCountsToTheClassThatNamesIt() throws IOException {
        write(CODE + "admin/Page.java", "class Page { String sql = \"page.sql\"; }\n");
        write("postrider-core/src/main/resources/page.sql", "select 1\n".repeat(300));

        assertWorse("- `Page`: 301 lines");
    }

    @Test
    void nameOfTwoTypesFails() throws IOException {
        write(CODE + "relay/Wave.java", "class Wave {\n    private record Page(int number) {}\n}\n");

        assertWorse("- `Page`: 2 types: `admin.Page`, `relay.Wave.Page`");
    }

    @Test
    void nameInTextOrCommentIsNoType() throws IOException {
        write(
                CODE + "admin/Page.java",
                "/* class Lanes */ class Page { String text = \"record Lanes()\"; } // enum Lanes\n");

        assertThat(house("--check").status()).isZero();
    }

    @Test
    void homonymWithAReasonPasses() throws IOException {
        write("scripts/house-homonyms", "Page: the same concept twice\n");
        write(CODE + "admin/Page.java", "class Page {\n    record Page(int number) {}\n}\n");

        assertThat(house("--check").status()).isZero();
    }

    @Test
    void homonymOfOneTypeFails() throws IOException {
        write("scripts/house-homonyms", "Page: the same concept twice\n");

        assertThat(house("--check").output()).contains("remove the line");
    }

    @Test
    void packageWithTooManyFilesFails() throws IOException {
        for (int i = 0; i < 46; i++) {
            write(CODE + "spi/Type" + i + ".java", type("Type" + i, 1));
        }

        assertWorse("- `dev.postrider.spi`: 46 files, aim 45");
    }

    @Test
    void aimThatIsMetNeedsANewPage() throws IOException {
        write(CODE + "relay/Lanes.java", type("Lanes", 300));

        assertThat(house("--check").output()).contains("out of date");
        assertThat(house("--write").status()).isZero();
        assertThat(house("--check").status()).isZero();
    }

    @Test
    void lengthOfOtherFilesMayChange() throws IOException {
        write(CODE + "admin/Page.java", type("Page", 200));
        write("docs/guide.md", "word ".repeat(31) + ".\n");

        assertThat(house("--check").status()).isZero();
    }

    private void assertWorse(String entry) {
        ScriptRun check = house("--check");
        assertThat(check.output()).contains(entry);
        assertThat(check.status()).isOne();
        assertThat(house("--write").status()).isOne();
    }

    private ScriptRun house(String option) {
        return ScriptRun.of(root.resolve("scripts/house"), option);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String type(String name, int lines) {
        return "class " + name + " {}\n" + "\n".repeat(lines - 1);
    }

    private static boolean pythonExists() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return "true".equals(System.getenv("CI"));
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while python3 ran", e);
        }
    }
}
