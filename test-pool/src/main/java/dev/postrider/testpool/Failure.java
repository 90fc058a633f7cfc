package dev.postrider.testpool;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.stream.Collectors;

/** One failed test and the first lines of its error. */
record Failure(String test, String error) {

    private static final int LINES = 12;
    private static final int LINE_LENGTH = 300;

    static Failure of(String test, Throwable cause) {
        return new Failure(test, firstLines(cause.toString()));
    }

    static String firstLines(String text) {
        return text.lines()
                .limit(LINES)
                .map(line -> line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line)
                .collect(Collectors.joining("\n"));
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(test);
        out.writeUTF(error);
    }

    static Failure readFrom(DataInputStream in) throws IOException {
        return new Failure(in.readUTF(), in.readUTF());
    }
}
