package dev.postrider.verification.limits;

import dev.postrider.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A situation in which a relay might stand still or deliver in another order. */
enum Situation {
    /** The database answers later. */
    LATENCY("answers of the database delayed by ms", 0, 15, 100, 500) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            site.network().delayAnswers(Duration.ofMillis(size));
            site.start();
            // The relay opens its connections, each with several round trips, before it delivers for the first time.
            site.deliverFresh();
            return Situation::nothing;
        }

        @Override
        Duration roundTrip(long size) {
            return Duration.ofMillis(size);
        }
    },
    /** The backlog of a topic that cannot be reached, with a hole before each row. */
    HOLES("holes in the backlog of an unreachable topic", 1_000, 10_000, 100_000, 1_000_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException {
            site.fill(Rows.UNREACHABLE, 2 * size);
            site.execute("delete from outbox_message where seq % 2 = 0");
            site.analyze();
            site.start();
            return Situation::nothing;
        }
    },
    /** Dead messages that hold their keys. */
    HELD_KEYS("held keys", 1_000, 10_000, 100_000, 1_000_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException {
            site.fill(Rows.HOLDING, size);
            site.analyze();
            site.start();
            return Situation::nothing;
        }
    },
    /** Somebody has locked one row, and many others follow. */
    LOCKED_ROW("messages behind one locked row", 40_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException {
            Connection other = site.connect();
            other.setAutoCommit(false);
            try (Connection producer = site.connect();
                    Statement lock = other.createStatement()) {
                producer.setAutoCommit(false);
                site.enqueue(
                        producer, OutboxMessage.to("live", "x").key("locked").payload("locked"));
                producer.commit();
                // By its primary key, which locks no other row on MariaDB and MySQL.
                lock.execute("select seq from outbox_message where seq = 1 for update");
                site.start();
                for (int i = 0; i < size; i += 200) {
                    for (int j = 0; j < 200; j++) {
                        int number = i + j;
                        site.enqueue(
                                producer,
                                OutboxMessage.to("live", "x").key("k" + number).payload("m" + number));
                    }
                    producer.commit();
                }
            }
            return other;
        }
    },
    /** The connections of the relay are silent, as after a fail-over without RST; new ones work. */
    SILENT_CONNECTIONS("silent connections", 0) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            site.start();
            site.deliverFresh();
            site.network().silence();
            return Situation::nothing;
        }
    },
    /** The process died twice with many messages in flight. */
    KILLS("messages in flight at two kills", 2_000, 8_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException {
            site.fill(Rows.SUSPECT, size);
            site.start();
            return Situation::nothing;
        }
    },
    /** Two delayed messages of one key, far apart, whose topic is away for a moment. */
    DELAYED_PAIR("rows between two delayed messages of one key", 10_000, 1_000_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            delayed(site, "first");
            site.fill(Rows.DELIVERED, size);
            delayed(site, "second");
            site.fill(Rows.DELIVERED, 1_000);
            site.execute("update outbox_shard set low_seq = (select max(seq) from outbox_message)");
            site.analyze();
            site.answerUnavailable(1);
            site.start();
            if (!site.await("first") || !site.await("second")) {
                throw new IllegalStateException("A delayed message did not arrive");
            }
            return Situation::nothing;
        }

        private void delayed(Site site, String payload) throws SQLException {
            try (Connection connection = site.connect()) {
                connection.setAutoCommit(false);
                site.enqueue(
                        connection,
                        OutboxMessage.to("delayed", "x")
                                .key("d")
                                .deliverAfter(Duration.ofMillis(1))
                                .payload(payload));
                connection.commit();
            }
        }
    },
    /** Transactions are rolled back while another one is open, and its key goes on when it commits. */
    ROLLBACKS("rollbacks beside an open transaction", 2_500, 25_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            site.start();
            site.deliverFresh();
            try (Connection open = site.connect();
                    Connection others = site.connect()) {
                open.setAutoCommit(false);
                others.setAutoCommit(false);
                site.enqueue(open, OutboxMessage.to("ordered", "x").key("k").payload("1"));
                for (int i = 0; i < size; i++) {
                    site.enqueue(
                            others, OutboxMessage.to("live", "x").key("r" + i).payload("rolled back"));
                    others.rollback();
                    site.enqueue(
                            others, OutboxMessage.to("live", "x").key("o" + i).payload("other-" + i));
                    others.commit();
                }
                site.await("other-" + (size - 1));
                open.commit();
            }
            site.commit(OutboxMessage.to("ordered", "x").key("k").payload("2"));
            site.await("1");
            site.await("2");
            return Situation::nothing;
        }

        @Override
        boolean isReordered(Site site) {
            return !site.order().equals(List.of("1", "2"));
        }
    },
    /** The sequence grows by three, so that most of its numbers stay holes, beside an open transaction. */
    INCREMENT("messages with every third sequence beside an open transaction", 3_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            site.start();
            site.deliverFresh();
            try (Connection open = site.connect();
                    Connection others = site.connect()) {
                site.countBy(3, open, others);
                open.setAutoCommit(false);
                others.setAutoCommit(false);
                site.enqueue(open, OutboxMessage.to("ordered", "x").key("k").payload("1"));
                for (int i = 0; i < size; i++) {
                    site.enqueue(
                            others, OutboxMessage.to("live", "x").key("o" + i).payload("other-" + i));
                    others.commit();
                }
                site.await("other-" + (size - 1));
                open.commit();
            }
            site.commit(OutboxMessage.to("ordered", "x").key("k").payload("2"));
            site.await("1");
            site.await("2");
            return Situation::nothing;
        }

        @Override
        boolean isReordered(Site site) {
            return !site.order().equals(List.of("1", "2"));
        }
    },
    /** Retries of a topic that cannot be reached are due, over and over. */
    DUE_BACKLOG("due messages of an unreachable topic", 10_000, 200_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException {
            site.fill(Rows.DUE, size);
            site.analyze();
            site.start();
            return Situation::nothing;
        }
    },
    /** One transaction commits many messages long after it drew their sequences. */
    LATE_COMMIT("messages of one late commit", 5_000, 50_000) {
        @Override
        AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException {
            site.start();
            site.deliverFresh();
            try (Connection open = site.connect()) {
                open.setAutoCommit(false);
                site.fill(open, Rows.LATE, size);
                site.deliverFresh();
                open.commit();
            }
            return Situation::nothing;
        }
    };

    private static final long TESTED = 10_000;

    final String title;
    private final String sizes;

    Situation(String title, long... sizes) {
        this.title = title;
        this.sizes = LongStream.of(sizes).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    private static void nothing() {}

    /** Brings the situation about, starts the relay, and returns what ends the situation. */
    abstract AutoCloseable arrange(Site site, long size) throws SQLException, InterruptedException;

    /** Returns the sizes of the situation, none larger than {@code most} unless it has only one. */
    List<Long> sizes(long most) {
        List<Long> all = Stream.of(sizes.split(" ")).map(Long::valueOf).toList();
        List<Long> small = all.stream().filter(size -> size <= most).toList();
        return small.isEmpty() ? all.subList(0, 1) : small;
    }

    /** Returns the size that the test of this situation takes: beyond ten times the bound that matters. */
    long tested() {
        return sizes(TESTED).get(sizes(TESTED).size() - 1);
    }

    /** Returns how long one round trip to the database takes. */
    Duration roundTrip(long size) {
        return Duration.ZERO;
    }

    /** Returns whether messages of one key arrived in another order. */
    boolean isReordered(Site site) {
        return false;
    }
}
