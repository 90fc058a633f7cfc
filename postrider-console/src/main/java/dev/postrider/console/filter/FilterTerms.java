package dev.postrider.console.filter;

import dev.postrider.spi.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits a filter into terms. Used once. */
final class FilterTerms {

    private final String text;
    private int index;

    private FilterTerms(String text) {
        this.text = text;
    }

    static List<FilterTerm> of(String text) {
        FilterTerms terms = new FilterTerms(text);
        List<FilterTerm> found = new ArrayList<>();
        while (terms.skipSpace()) {
            found.add(terms.next());
        }
        return found;
    }

    private boolean skipSpace() {
        while (index < text.length() && isSpace(text.charAt(index))) {
            index++;
        }
        return index < text.length();
    }

    private FilterTerm next() {
        int start = index;
        if (text.charAt(index) == '"') {
            String value = quoted();
            return term(null, value, true, start, start);
        }
        int colon = index;
        while (colon < text.length() && !isSpace(text.charAt(colon)) && !isMark(text.charAt(colon))) {
            colon++;
        }
        if (colon < text.length() && text.charAt(colon) == ':') {
            String word = text.substring(start, colon);
            index = colon + 1;
            boolean quotes = index < text.length() && text.charAt(index) == '"';
            String value = quotes ? quoted() : bare();
            return term(word, value, quotes, start, colon + 1);
        }
        return term(null, bare(), false, start, start);
    }

    private FilterTerm term(@Nullable String word, String value, boolean quoted, int start, int valueStart) {
        return new FilterTerm(word, value, quoted, start, valueStart, index);
    }

    private String bare() {
        int start = index;
        while (index < text.length() && !isSpace(text.charAt(index))) {
            if (text.charAt(index) == '"') {
                throw FilterTerm.at("A quote inside a word: put the whole value in quotes,", index, index + 1);
            }
            index++;
        }
        return text.substring(start, index);
    }

    private String quoted() {
        int start = index;
        StringBuilder value = new StringBuilder();
        index++;
        while (index < text.length()) {
            char each = text.charAt(index);
            index++;
            if (each == '"') {
                requireSpace();
                return value.toString();
            }
            boolean escapes = each == '\\' && index < text.length() && isEscaped(text.charAt(index));
            value.append(escapes ? text.charAt(index) : each);
            index += escapes ? 1 : 0;
        }
        throw FilterTerm.at(
                "The quotes that begin with %s have no end, they begin"
                        .formatted(ErrorText.clean(text.substring(start, Math.min(text.length(), start + 20)))),
                start,
                text.length());
    }

    private void requireSpace() {
        if (index < text.length() && !isSpace(text.charAt(index))) {
            throw FilterTerm.at("After quotes a space must follow,", index, index + 1);
        }
    }

    private static boolean isSpace(char each) {
        return Character.isWhitespace(each);
    }

    private static boolean isMark(char each) {
        return each == ':' || each == '"';
    }

    private static boolean isEscaped(char each) {
        return each == '"' || each == '\\';
    }
}
