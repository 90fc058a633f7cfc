package dev.postrider.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Turns statements with placeholders for names and for the dialect's expressions into text. Thread-safe. */
final class SqlText {

    private final TableNames names;
    private final Dialect dialect;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    SqlText(TableNames names, Dialect dialect) {
        this.names = names;
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }

    TableNames names() {
        return names;
    }

    String of(String statement) {
        return texts.computeIfAbsent(statement, template -> names.in(dialect.in(template)));
    }
}
