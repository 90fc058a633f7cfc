package dev.postrider.jdbc.row;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Rows of a claimed batch to messages, hash and headers included; of H2, because its result costs the least. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageRowsBenchmark {

    private final SampleRows rows = SampleRows.open();

    /** Maps the batch; the figure is the time of one row. */
    @Benchmark
    @OperationsPerInvocation(SampleRows.COUNT)
    public void claimed(Blackhole hole) throws SQLException {
        rows.map(hole::consume);
    }

    /** Closes the database. */
    @TearDown
    public void close() throws SQLException {
        rows.close();
    }
}
