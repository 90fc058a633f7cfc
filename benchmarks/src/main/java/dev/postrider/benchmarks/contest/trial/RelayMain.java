package dev.postrider.benchmarks.contest.trial;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.benchmarks.contenders.Publishers;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Sink;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.postgres.PostgresWakeUp;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.WakeUp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A process with nothing but a relay, which does what its {@link RelayProcess} says and ends with it. */
public final class RelayMain {

    private static final int POOL = 8;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Supplier<Relay> relays;
    private final Arrivals arrivals;
    private final Settled settled;
    private Relay relay;

    private RelayMain(Supplier<Relay> relays, Arrivals arrivals, Settled settled) {
        this.relays = relays;
        this.arrivals = arrivals;
        this.settled = settled;
        this.relay = relays.get();
    }

    /** Takes {@code name=value} arguments as {@link RelayProcess} gives them. */
    public static void main(String[] arguments) throws Exception {
        Parameters parameters = Parameters.parse(List.of(arguments));
        try (Sink sink = SinkKind.valueOf(parameters.text("sink")).open(parameters.text("broker"))) {
            Arena arena = Arena.of(parameters, sink);
            run(arena, parameters.number("port"));
        }
    }

    private static void run(Arena arena, int port) throws Exception {
        Settled settled = new Settled();
        try (HikariDataSource pool = arena.pool(POOL);
                MessagePublisher publisher = Publishers.of(arena);
                @Nullable WakeUp wakeUp = arena.postgres() ? PostgresWakeUp.of(pool) : null;
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            RelayMain main = new RelayMain(
                    () -> start(pool, publisher, wakeUp, settled), arena.sink().arrivals(), settled);
            try {
                main.obey(socket);
            } finally {
                main.relay.close();
            }
        }
    }

    private static Relay start(
            DataSource pool, MessagePublisher publisher, @Nullable WakeUp wakeUp, RelayListener listener) {
        RelayBuilder builder =
                Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher).listener(listener);
        if (wakeUp != null) {
            builder.wakeUp(wakeUp);
        }
        return builder.build().start();
    }

    private void obey(Socket socket) throws IOException {
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        PrintWriter answers = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
        String command = commands.readLine();
        while (command != null) {
            answers.println(answer(command.split(" ", -1)));
            command = commands.readLine();
        }
    }

    private String answer(String[] command) {
        return switch (command[0]) {
            case "expect" -> {
                arrivals.expect(Integer.parseInt(command[1]));
                settled.reset();
                yield "expecting";
            }
            case "pause" -> relay.drain(LIMIT) ? "paused" : "busy";
            case "resume" -> {
                relay.resume();
                yield "resumed";
            }
            case "leave" -> {
                relay.close();
                yield "left";
            }
            case "join" -> {
                relay = relays.get();
                yield "joined";
            }
            case "counts" ->
                new RelayCounts(
                                relay.health().ownedShards(),
                                settled.count,
                                arrivals.distinct() + arrivals.duplicates(),
                                arrivals.distinct(),
                                settled.lastAt,
                                (long) (DatabaseCost.processSeconds() * 1e9))
                        .line();
            case "times" ->
                Arrays.stream(arrivals.times()).mapToObj(Long::toString).collect(Collectors.joining(" "));
            default -> "cannot " + command[0];
        };
    }

    /** Counts what the store knows as delivered. */
    private static final class Settled implements RelayListener {

        private volatile int count;
        private volatile long lastAt;

        private synchronized void reset() {
            count = 0;
            lastAt = 0;
        }

        @Override
        public synchronized void settled(List<Settlement> outcomes) {
            int delivered = (int) outcomes.stream()
                    .filter(settlement -> settlement.outcome() == Settlement.Outcome.DELIVERED)
                    .count();
            if (delivered > 0) {
                lastAt = System.nanoTime();
                count += delivered;
            }
        }
    }
}
