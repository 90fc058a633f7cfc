package dev.postrider.jdbc.row;

import dev.postrider.database.HeaderCodec;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Headers to JSON and back: a trace, a correlation, and a value that has to be escaped. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeaderCodecBenchmark {

    static final Map<String, String> HEADERS = Map.of(
            "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "correlation-id", "6f1f2c0e-4b7e-4f0a-9d2f-0d3c9e6a1b52",
            "comment", "say \"hello\" and goodbye");

    private final Map<String, String> headers = HEADERS;
    private final @Nullable String json = HeaderCodec.encode(HEADERS);

    /** Returns the JSON of three headers. */
    @Benchmark
    public @Nullable String encode() {
        return HeaderCodec.encode(headers);
    }

    /** Returns three headers of their JSON. */
    @Benchmark
    public Map<String, String> decode() {
        return HeaderCodec.decode(json);
    }
}
