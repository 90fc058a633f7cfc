package dev.postrider.cli.output;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes an answer of the API in the form that the caller asked for. Not thread-safe. */
public final class Printer {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final OutputFormat format;
    private final PrintWriter out;
    private final Paint paint;
    private final int width;
    private final Clock clock;

    /** Writes to {@code out}; a width of zero cuts no column. */
    public Printer(OutputFormat format, PrintWriter out, Paint paint, int width, Clock clock) {
        this.format = format;
        this.out = out;
        this.paint = paint;
        this.width = width;
        this.clock = clock;
    }

    /** Returns the form in which this printer writes. */
    public OutputFormat format() {
        return format;
    }

    /** Returns the colours of this printer. */
    public Paint paint() {
        return paint;
    }

    /** Writes a list: {@code answer} for JSON and YAML, its rows for everything else. */
    public void list(JsonNode answer, String rowsField, List<Column> columns) {
        List<JsonNode> rows = new ArrayList<>();
        answer.path(rowsField).forEach(rows::add);
        switch (format) {
            case TABLE -> table(rows, columns);
            case JSON -> json(answer);
            case JSONL -> rows.forEach(row -> out.println(row.toString()));
            case YAML -> yaml(answer);
            case CSV -> csv(rows, columns);
        }
        out.flush();
    }

    /** Writes one object: its fields below each other in a table, one line in CSV. */
    public void object(JsonNode object, List<Column> columns) {
        switch (format) {
            case TABLE -> fields(object, columns);
            case JSON -> json(object);
            case JSONL -> out.println(object.toString());
            case YAML -> yaml(object);
            case CSV -> csv(List.of(object), columns);
        }
        out.flush();
    }

    /** Writes rows as a table, whatever the form of this printer. */
    public void table(List<JsonNode> rows, List<Column> columns) {
        lines(rows, columns).forEach(out::println);
        out.flush();
    }

    /** Returns the lines of a table. */
    public List<String> lines(List<JsonNode> rows, List<Column> columns) {
        List<Column> used = columns.stream()
                .filter(column -> rows.isEmpty()
                        || rows.stream()
                                .anyMatch(row -> !column.shown(row, clock).isEmpty()))
                .toList();
        TextTable table = new TextTable(used, paint);
        rows.forEach(row ->
                table.add(used.stream().map(column -> column.shown(row, clock)).toList()));
        return table.lines(width);
    }

    /** Writes a line of plain text if the form is a table; programs do not want it. */
    public void line(String text) {
        if (format == OutputFormat.TABLE) {
            out.println(text);
            out.flush();
        }
    }

    private void fields(JsonNode object, List<Column> columns) {
        int widest = columns.stream()
                .filter(column -> !column.shown(object, clock).isEmpty())
                .mapToInt(column -> column.title().length())
                .max()
                .orElse(0);
        for (Column column : columns) {
            String value = column.shown(object, clock);
            if (!value.isEmpty()) {
                String shown = column.form() == Column.Form.WORD ? paint.word(value, value) : value;
                out.println(paint.bold(column.title())
                        + " ".repeat(widest - column.title().length() + 2)
                        + shown);
            }
        }
    }

    private void json(JsonNode value) {
        out.println(JSON.writeValueAsString(value));
    }

    private void yaml(JsonNode value) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSplitLines(false)
                .build();
        out.print(new Dump(settings).dumpToString(JSON.convertValue(value, Object.class)));
    }

    private void csv(List<JsonNode> rows, List<Column> columns) {
        StringWriter text = new StringWriter();
        CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.LF)
                .bufferSize(0)
                .build(text);
        csv.writeRecord(columns.stream().map(Column::field).toList());
        rows.forEach(row -> csv.writeRecord(
                columns.stream().map(column -> column.exact(row)).toList()));
        out.print(text);
    }

    /** Returns an object with these fields, for answers that a command puts together. */
    public static ObjectNode object(Map<String, ?> fields) {
        return JSON.valueToTree(fields);
    }

    /** Reads a JSON text. */
    public static JsonNode read(String json) {
        return JSON.readTree(json);
    }
}
