package dev.postrider.console.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Reads and writes the JSON of the API: times in UTC with milliseconds, no nulls, bounded depth. Thread-safe. */
public final class ConsoleJson {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final int DEPTH = 20;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .maxNumberLength(30)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
            .addModule(new SimpleModule("console").addSerializer(Instant.class, new InstantText()))
            .build();

    private ConsoleJson() {}

    /** Writes a record, a map or a list. */
    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Writes it for people to read. */
    public static String writePretty(Object value) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }

    /**
     * Reads JSON.
     *
     * @throws RouteProblem if it is none
     */
    public static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw RouteProblem.badRequest("The body is not JSON: " + e.getOriginalMessage());
        }
    }

    /** Returns a record as a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** Returns a time as the API writes it. */
    public static String time(Instant time) {
        return TIME.format(time);
    }

    private static final class InstantText extends StdSerializer<Instant> {

        InstantText() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializationContext context) {
            out.writeString(time(value));
        }
    }
}
