package dev.postrider.cli.command;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a length of time such as {@code 500ms}, {@code 60s}, {@code 5m}, {@code 1h} or {@code 2d}. */
final class LengthOfTime implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        Matcher parts = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            throw new TypeConversionException(
                    "'%s' is no length of time; write 500ms, 60s, 5m, 1h or 2d".formatted(text));
        }
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
