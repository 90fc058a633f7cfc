package dev.postrider.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as strictly as the receivers of webhooks do. */
final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.at != text.length()) {
            throw json.bad();
        }
        return (Map<String, Object>) value;
    }

    private Object value() {
        char first = text.charAt(at);
        if (first == '{') {
            return members();
        }
        if (first == '[') {
            return elements();
        }
        if (first == '"') {
            return string();
        }
        for (String word : List.of("true", "false")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return Boolean.valueOf(word);
            }
        }
        int from = at;
        while (Character.isDigit(text.charAt(at))) {
            at++;
        }
        return Long.valueOf(text.substring(from, at));
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (text.charAt(at) != '}') {
            String name = string();
            expect(':');
            if (members.put(name, value()) != null) {
                throw bad();
            }
            comma('}');
        }
        at++;
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (text.charAt(at) != ']') {
            elements.add(value());
            comma(']');
        }
        at++;
        return elements;
    }

    private void comma(char end) {
        if (text.charAt(at) != end) {
            expect(',');
            if (text.charAt(at) == end) {
                throw bad();
            }
        }
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c < ' ') {
                throw bad();
            }
            value.append(c == '\\' ? escape() : c);
        }
        return value.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        if (c == '"' || c == '\\') {
            return c;
        }
        throw bad();
    }

    private void expect(char wanted) {
        if (text.charAt(at++) != wanted) {
            throw bad();
        }
    }

    private AssertionError bad() {
        return new AssertionError("Not JSON at %d: %s".formatted(at, text));
    }
}
