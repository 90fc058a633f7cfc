package dev.postrider.console.message;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.console.Attachment;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.filter.MessageQuery;
import dev.postrider.console.route.ConsoleJson;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.FieldKind;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes the messages that fit a filter, page by page, as lines of JSON or of CSV. */
final class MessageExport {

    private static final int DEFAULT_MAX = 10_000;
    private static final int MAX = 100_000;
    private static final int PAGE = 500;

    // A page looks at 10,000 rows, so a filter that nothing fits ends after five million.
    private static final int MOST_PAGES = 500;

    private static final List<String> COLUMNS = List.of(
            "id",
            "seq",
            "status",
            "namespace",
            "topic",
            "type",
            "key",
            "tenant",
            "version",
            "attempts",
            "lastError",
            "failure",
            "created",
            "updated",
            "due",
            "delivered",
            "died",
            "payloadBytes",
            "contentType");

    /** A line of JSON with the payload. */
    record MessageLine(
            @JsonUnwrapped MessageView message,
            @Nullable PayloadView payload,
            @Nullable Map<String, String> headers) {}

    private record Options(boolean csv, int max, boolean payload) {}

    private MessageExport() {}

    static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/messages/export",
                                Attachment.class,
                                "Downloads the messages that fit a filter.")
                        .query(MessageSource.FILTER)
                        .query(RouteField.word(
                                "format", List.of("jsonl", "csv"), "Lines of JSON or of CSV. Default jsonl."))
                        .query(RouteField.integer("max", 1, MAX, "How many at most. Default 10000."))
                        .query(RouteField.of(
                                "payload",
                                FieldKind.BOOLEAN,
                                0,
                                0,
                                "Whether payloads are written too. Default false.")),
                MessageExport::export);
    }

    private static Object export(Exchange exchange) {
        MessageQuery query = MessageSource.query(exchange);
        boolean csv = exchange.text("format").filter("csv"::equals).isPresent();
        Options options = new Options(
                csv,
                exchange.integer("max").orElse(DEFAULT_MAX),
                exchange.bool("payload").orElse(false));
        ConsoleSource source = exchange.source();
        // The first page now, so that errors still become a problem.
        Page page = Page.newest(Math.min(PAGE, options.max()));
        Slice<StoredMessage> first = MessageSource.search(source, query, page);
        return ConsoleResponse.download(
                csv ? "text/csv; charset=utf-8" : "application/x-ndjson",
                new Attachment(
                        csv ? "messages.csv" : "messages.jsonl", out -> write(out, source, query, first, options)));
    }

    private static void write(
            OutputStream out, ConsoleSource source, MessageQuery query, Slice<StoredMessage> first, Options options)
            throws IOException {
        if (options.csv()) {
            line(out, String.join(",", COLUMNS) + (options.payload() ? ",payload" : ""));
        }
        Slice<StoredMessage> slice = first;
        int left = options.max();
        for (int pages = 1; ; pages++) {
            for (StoredMessage message :
                    slice.items().subList(0, Math.min(left, slice.items().size()))) {
                line(out, options.csv() ? csv(message, options) : json(message, options));
                left--;
            }
            if (slice.next().isEmpty() || left == 0) {
                return;
            }
            if (pages == MOST_PAGES) {
                line(
                        out,
                        options.csv()
                                ? "# more follows"
                                : "{\"next\":\"" + slice.next().get() + "\"}");
                return;
            }
            slice = MessageSource.search(
                    source,
                    query,
                    Page.newest(Math.min(PAGE, left)).after(slice.next().get()));
        }
    }

    private static String json(StoredMessage message, Options options) {
        return ConsoleJson.write(new MessageLine(
                MessageView.of(message),
                options.payload() ? PayloadView.of(message.message().payload()) : null,
                options.payload() ? message.message().headers() : null));
    }

    private static String csv(StoredMessage message, Options options) {
        JsonNode view = ConsoleJson.tree(MessageView.of(message));
        String line = COLUMNS.stream()
                .map(column -> view.path(column).asString(""))
                .map(MessageExport::cell)
                .collect(Collectors.joining(","));
        if (!options.payload()) {
            return line;
        }
        PayloadView payload = PayloadView.of(message.message().payload());
        return line + ","
                + cell(Objects.requireNonNullElseGet(
                        payload.text(), () -> Objects.requireNonNullElse(payload.base64(), "")));
    }

    // A spreadsheet runs a cell that begins like a formula.
    static String cell(String value) {
        String safe = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        return safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + safe.replace("\"", "\"\"") + '"'
                : safe;
    }

    private static void line(OutputStream out, String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
