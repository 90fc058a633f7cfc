package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.output.Ages;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Printer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrinterTest {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-19T12:00:00Z"), ZoneOffset.UTC);
    private static final List<Column> COLUMNS = List.of(
            Column.word("Status", "status"),
            Column.age("Age", "created"),
            Column.count("Pending", "pending"),
            Column.text("Error", "error"),
            Column.text("Never there", "none"));

    private static final String ANSWER = """
            {"items":[
              {"status":"DEAD","created":"2026-11-19T11:56:48Z","pending":{"value":10000,"atLeast":true},
               "error":"said \\"no\\", twice"},
              {"status":"PENDING","created":"2026-11-19T11:59:59.500Z","pending":7,"error":"\\u001b[31mred\\nline"}],
             "next":"c1"}
            """;

    private final StringWriter written = new StringWriter();

    private String list(OutputFormat format, int width, boolean colours) {
        PrintWriter out = new PrintWriter(written);
        new Printer(format, out, new Paint(colours), width, NOON).list(Printer.read(ANSWER), "items", COLUMNS);
        return written.toString();
    }

    @Test
    void tableAlignsNumbersRightAndLeavesEmptyColumnsOut() {
        assertThat(list(OutputFormat.TABLE, 0, false)).isEqualTo("""
                STATUS   AGE       PENDING  ERROR
                DEAD     3 m 12 s  10 000+  said "no", twice
                PENDING  0.5 s           7  �[31mred line
                """);
    }

    @Test
    void narrowTerminalCutsTheWidestColumn() {
        assertThat(list(OutputFormat.TABLE, 40, false).lines())
                .allMatch(line -> line.length() <= 40)
                .anyMatch(line -> line.endsWith("…"));
    }

    @Test
    void coloursAreOnlyWrittenWhenAskedFor() {
        assertThat(list(OutputFormat.TABLE, 0, true)).contains("\u001b[31mDEAD\u001b[0m");
    }

    @Test
    void csvHasTheExactValues() {
        assertThat(list(OutputFormat.CSV, 40, false)).isEqualTo("""
                status,created,pending,error,none
                DEAD,2026-11-19T11:56:48Z,10000,"said ""no"", twice",
                PENDING,2026-11-19T11:59:59.500Z,7,"\u001b[31mred
                line",
                """);
    }

    @Test
    void jsonIsTheWholeAnswerAndJsonlOneLineForEachRow() {
        assertThat(Printer.read(list(OutputFormat.JSON, 0, false))).isEqualTo(Printer.read(ANSWER));
        written.getBuffer().setLength(0);
        assertThat(list(OutputFormat.JSONL, 0, false).lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("{\"status\""));
    }

    @Test
    void yamlIsTheWholeAnswer() {
        assertThat(list(OutputFormat.YAML, 0, false))
                .startsWith("items:\n- status: DEAD\n")
                .endsWith("next: c1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "-5, 0 s",
        "0, 0.0 s",
        "400, 0.4 s",
        "12345, 12 s",
        "192000, 3 m 12 s",
        "180000, 3 m",
        "7500000, 2 h 5 m",
        "273600000, 3 d 4 h"
    })
    void agesHaveTheirTwoLargestUnits(long millis, String text) {
        assertThat(Ages.of(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
