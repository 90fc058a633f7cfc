package dev.postrider.cli.output;

import java.util.Locale;

/** The forms in which a command writes its answer. */
public enum OutputFormat {
    /** Columns for people; cut to the width of the terminal. */
    TABLE,
    /** The answer of the API, indented. */
    JSON,
    /** One line of JSON for each row. */
    JSONL,
    /** The answer of the API as YAML. */
    YAML,
    /** The columns of the table with exact values. */
    CSV;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
