package dev.postrider.jackson;

import dev.postrider.spi.ErrorText;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/** Where in a text an error is, without a word of the text. */
final class ErrorPlace {

    private static final int LONGEST = 200;

    private ErrorPlace() {}

    static String of(JacksonException error) {
        String path = error.getPath().stream().map(ErrorPlace::step).collect(Collectors.joining());
        return path.isEmpty() ? offset(error) : ErrorText.clean("$" + path, LONGEST);
    }

    // The keys of a map are data.
    private static String step(JacksonException.Reference step) {
        if (step.getPropertyName() == null) {
            return "[%d]".formatted(step.getIndex());
        }
        return step.from() instanceof Map ? ".*" : "." + step.getPropertyName();
    }

    private static String offset(JacksonException error) {
        long at = error.getLocation() == null ? -1 : error.getLocation().getByteOffset();
        return at < 0 ? "$" : "byte " + at;
    }
}
