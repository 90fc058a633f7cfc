package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** One relay in a JVM of its own. Thread-safe. */
final class RelayProcess implements AutoCloseable {

    /** Only a hang takes longer, however busy the machine is. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private final ChildJvm jvm;
    private final Sink sink;

    private RelayProcess(ChildJvm jvm, Sink sink) {
        this.jvm = jvm;
        this.sink = sink;
    }

    /** Starts a relay and does not wait for it. */
    static RelayProcess launch(Database database, Sink sink, Tenure tenure) {
        ChildJvm jvm = ChildJvm.of(RelayMain.class)
                .heap("128m")
                .quickStart()
                .systemProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn")
                .arguments(database.jdbcUrl(), database.user(), database.password())
                .arguments(Integer.toString(sink.port()), "relay")
                .arguments(tenure.ownFor().toString(), tenure.granted().toString())
                .start();
        return new RelayProcess(jvm, sink);
    }

    ChildJvm jvm() {
        return jvm;
    }

    /** Waits until the relay works and returns the name it has in the store. */
    String name() {
        jvm.awaitOutput("name ", PATIENCE);
        String name = facts("name ").get(0);
        await().atMost(PATIENCE).until(() -> sink.knows(name));
        return name;
    }

    /** Waits for something this relay has to bring about; a failure shows what it has printed. */
    void awaitThat(String what, Callable<Boolean> condition) {
        try {
            await(what).atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("%s: %s; the relay printed%n%s".formatted(what, e.getMessage(), jvm.output()), e);
        }
    }

    /** Returns the last value printed for a count, or zero. */
    long count(String fact) {
        List<String> values = facts(fact);
        return values.isEmpty() ? 0 : Long.parseLong(values.get(values.size() - 1));
    }

    private List<String> facts(String fact) {
        return jvm.output()
                .lines()
                .filter(line -> line.startsWith(fact))
                .map(line -> line.substring(fact.length()))
                .toList();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
