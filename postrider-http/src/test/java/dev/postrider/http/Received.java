package dev.postrider.http;

import java.util.Map;

/**
 * A request as it came in.
 *
 * @param head request line and headers, byte for byte
 * @param target path and query
 * @param headers names in lower case
 * @param body one character for each byte
 * @param nanos when it was complete
 */
record Received(String head, String target, Map<String, String> headers, String body, long nanos) {

    String header(String name) {
        String value = headers.get(name);
        if (value == null) {
            throw new AssertionError("There is no header %s in %s".formatted(name, headers.keySet()));
        }
        return value;
    }
}
