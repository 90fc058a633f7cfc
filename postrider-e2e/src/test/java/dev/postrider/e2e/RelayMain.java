package dev.postrider.e2e;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.OutboxStore;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with one relay, started by {@link RelayProcess}. SIGTERM closes the relay. What the test wants to know is
 * printed, one fact per line.
 */
final class RelayMain {

    static final int HALTED = 86;

    private RelayMain() {}

    public static void main(String[] arguments) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(arguments[0]);
        pool.setUsername(arguments[1]);
        pool.setPassword(arguments[2]);
        pool.setMaximumPoolSize(5);
        SinkPublisher publisher = SinkPublisher.connect(Integer.parseInt(arguments[3]));
        OutboxStore store = JdbcOutboxStore.builder(new HikariDataSource(pool)).build();
        Tenure tenure = Tenure.parse(arguments[5], arguments[6]);
        OutboxStore watched = HeartbeatWatch.around(tenure.grantedBy(store), RelayMain::print);
        Relay relay = tenure.applyTo(Relay.builder(watched, publisher))
                .name(arguments[4])
                .listener(new Printer())
                .build();
        publisher.introduce(relay.name());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(relay, publisher), "stop"));
        relay.start();
        print("name " + relay.name());
        while (true) {
            LockSupport.park();
        }
    }

    private static void stop(Relay relay, SinkPublisher publisher) {
        publisher.say(Sink.STOPPING);
        relay.close();
        print("stopped");
    }

    private static void print(String fact) {
        System.out.println(fact);
    }

    /** Prints what a relay does seldom. */
    private static final class Printer implements RelayListener {

        private final AtomicLong lost = new AtomicLong();

        @Override
        public void claimsLost(int messages) {
            print("claims-lost " + lost.addAndGet(messages));
        }

        @Override
        public void shardsAcquired(Set<Integer> shards) {
            print("shards-acquired " + shards.size());
        }

        @Override
        public void shardsLost(Set<Integer> shards) {
            print("shards-lost " + shards.size());
        }

        @Override
        public void turnFailed(String loop, Throwable cause) {
            print("turn-failed %s %s".formatted(loop, cause));
        }
    }
}
