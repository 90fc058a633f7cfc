package dev.postrider.testpool;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The outcome of one test class. A worker writes it to its standard output, the pool reads it from there. */
record ClassResult(String name, int tests, int skipped, Duration time, List<Failure> failures) {

    ClassResult {
        failures = List.copyOf(failures);
    }

    /** The result of a class whose JVM ended before it answered. */
    static ClassResult lost(String name, Duration time, String reason) {
        return new ClassResult(name, 0, 0, time, List.of(new Failure(name, reason)));
    }

    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(name);
        out.writeInt(tests);
        out.writeInt(skipped);
        out.writeLong(time.toMillis());
        out.writeInt(failures.size());
        for (Failure failure : failures) {
            failure.writeTo(out);
        }
        out.flush();
    }

    static ClassResult readFrom(DataInputStream in) throws IOException {
        String name = in.readUTF();
        int tests = in.readInt();
        int skipped = in.readInt();
        Duration time = Duration.ofMillis(in.readLong());
        List<Failure> failures = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            failures.add(Failure.readFrom(in));
        }
        return new ClassResult(name, tests, skipped, time, failures);
    }
}
