package dev.postrider.jdbc.row;

import dev.postrider.benchmarks.contest.arena.Cargo;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The hash every message gets when it is enqueued and has to show before it is published. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContentHashBenchmark {

    private final ContentHash hash = new ContentHash();
    private byte[] payload = new byte[0];

    /** The length of the payload. */
    @Param({"300", "10000"})
    public int bytes;

    /** Makes the payload. */
    @Setup
    public void fill() {
        payload = Cargo.bytes(Cargo.payload(1).repeat(bytes / Cargo.BYTES + 1).substring(0, bytes));
    }

    /** Returns the hash of one message. */
    @Benchmark
    public byte[] of() {
        return hash.of(null, Cargo.TYPE, payload);
    }
}
