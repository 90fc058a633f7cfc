package dev.postrider.database;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Turns statements with placeholders for names and for the dialect's expressions into text. Thread-safe. */
public final class SqlText {

    private final TableNames names;
    private final Dialect dialect;
    private final UnaryOperator<String> wording;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    /** Knows the placeholders of the names and of the dialect, and others, which {@code wording} replaces first. */
    public SqlText(TableNames names, Dialect dialect, UnaryOperator<String> wording) {
        this.names = names;
        this.dialect = dialect;
        this.wording = wording;
    }

    /** Returns which database this is. */
    public Dialect dialect() {
        return dialect;
    }

    /** Returns what the tables are called. */
    public TableNames names() {
        return names;
    }

    /** Returns the text of a statement; it must be a constant, since each is kept. */
    public String of(String statement) {
        return texts.computeIfAbsent(statement, template -> names.in(dialect.in(wording.apply(template))));
    }
}
