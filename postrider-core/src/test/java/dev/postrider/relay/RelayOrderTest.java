package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of one relay: transactions, faults of the broker and locked rows at every moment of a turn. */
@Tag("B1")
class RelayOrderTest {

    private static final int HISTORIES = 400;
    private static final int STEPS = 150;
    private static final int BATCH = 4;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyMessageArrivesAndNoneOvertakesItsKey(boolean listsWriters) {
        for (int seed = 0; seed < HISTORIES; seed++) {
            new World(seed, listsWriters).run();
        }
        // A row below a topic that catches up was committed together with a row of the page under way.
        new World(4_802, listsWriters).run();
    }

    private static final class World {

        private final String name;
        private final SplittableRandom random;
        private final Table table = new Table(this::others);
        private final RelayLoop loop;
        private final Map<String, List<Draft>> open = new HashMap<>();
        private final Set<Long> acked = new HashSet<>();
        private final List<Held> held = new ArrayList<>();
        private final List<String> overtaken = new ArrayList<>();
        private boolean faults = true;
        private int transactions;

        private record Draft(long seq, OutboxMessage message) {}

        private record Held(ClaimedMessage claimed, PublishAnswers answers) {}

        World(int seed, boolean listsWriters) {
            name = "history " + seed;
            random = new SplittableRandom(seed);
            table.listsWriters = listsWriters;
            RelayBuilder builder = Relay.builder(table.store(), this::publish)
                    .batchSize(BATCH)
                    .prefetchMessages(3 * BATCH)
                    .retry(RetryPolicy.exponential(Duration.ofMillis(50), Duration.ofMillis(200), 1_000));
            builder.nanoTime = () -> table.nanos;
            builder.random = new SplittableRandom(seed);
            loop = new RelayLoop(builder.store, builder.publisher, new RelayConfig(builder), () -> {});
            List<OwnedShard> shards = IntStream.range(0, Shards.COUNT)
                    .mapToObj(shard -> new OwnedShard(shard, 1, 0))
                    .toList();
            loop.state().gained(shards);
            loop.state().renewed(shards, Duration.ofDays(1).toNanos());
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                turn();
            }
            faults = false;
            List.copyOf(open.keySet()).forEach(this::commit);
            table.locked.clear();
            for (int step = 0; step < 2_000 && pending() > 0; step++) {
                loop.fetch(fetched -> loop.send());
                List.copyOf(held).forEach(one -> answerOne());
                loop.settle();
                table.nanos += Duration.ofMillis(100).toNanos();
            }

            assertThat(overtaken).as(name).isEmpty();
            assertThat(table.rows.values())
                    .as("%s: undelivered of %d", name, table.rows.size())
                    .filteredOn(row -> row.pending)
                    .extracting(row -> row.seq)
                    .isEmpty();
        }

        private long pending() {
            return table.rows.values().stream().filter(row -> row.pending).count();
        }

        private void turn() {
            switch (random.nextInt(4)) {
                case 0 -> loop.fetch(fetched -> loop.send());
                case 1 -> loop.send();
                case 2 -> loop.settle();
                default -> table.nanos += Duration.ofMillis(random.nextInt(100)).toNanos();
            }
            others();
        }

        // What other sessions and the broker do, also in the middle of a call.
        private void others() {
            int action = random.nextInt(faults ? 14 : 4);
            if (action < 3) {
                answerOne();
            } else if (action < 6 && faults) {
                enqueue();
            } else if (action < 9 && !open.isEmpty()) {
                commit(anyOpen());
            } else if (action == 9 && !open.isEmpty()) {
                rollBack(anyOpen());
            } else if (action == 10 && !table.rows.isEmpty()) {
                table.locked.add(1 + random.nextLong(table.rows.lastKey()));
            } else if (action == 11) {
                table.locked.clear();
            }
        }

        private String anyOpen() {
            return new ArrayList<>(new TreeSet<>(open.keySet())).get(random.nextInt(open.size()));
        }

        // A message follows the earlier ones of its key only once their transaction has committed.
        private void enqueue() {
            String transaction = open.size() < 3 ? "t" + transactions++ : anyOpen();
            table.writers.add(transaction);
            OutboxMessage message = OutboxMessage.to("topic-" + random.nextInt(2), "Placed")
                    .key("key-" + random.nextInt(3))
                    .build();
            boolean busy = open.entrySet().stream()
                    .filter(each -> !each.getKey().equals(transaction))
                    .flatMap(each -> each.getValue().stream())
                    .anyMatch(draft -> keyOf(draft.message).equals(keyOf(message)));
            List<Draft> drafts = open.computeIfAbsent(transaction, t -> new ArrayList<>());
            long seq = table.draw();
            if (!busy) {
                drafts.add(new Draft(seq, message));
            }
        }

        private void commit(String transaction) {
            Objects.requireNonNull(open.remove(transaction)).forEach(draft -> table.commit(draft.seq, draft.message));
            table.writers.remove(transaction);
        }

        private void rollBack(String transaction) {
            open.remove(transaction);
            table.writers.remove(transaction);
        }

        private void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
            wave.forEach(this::checkOrder);
            if (faults && random.nextInt(15) == 0) {
                throw new IllegalStateException("broken");
            }
            wave.forEach(claimed -> held.add(new Held(claimed, answers)));
        }

        // The relay catches what a publisher throws, so the end of the turn tells.
        private void checkOrder(ClaimedMessage claimed) {
            table.rows.headMap(claimed.seq()).values().stream()
                    .filter(row -> keyOf(row.message).equals(keyOf(claimed.message())))
                    .filter(row -> !acked.contains(row.seq))
                    .forEach(row -> overtaken.add(claimed.seq() + " before " + row.seq));
        }

        private void answerOne() {
            if (held.isEmpty()) {
                return;
            }
            Held one = held.remove(random.nextInt(held.size()));
            int fate = faults ? random.nextInt(10) : 9;
            if (fate == 0) {
                one.answers.answer(one.claimed, PublishResult.unavailable("away"));
            } else if (fate < 3) {
                one.answers.answer(one.claimed, PublishResult.failed("not now"));
            } else {
                acked.add(one.claimed.seq());
                one.answers.answer(one.claimed, PublishResult.acked());
            }
        }

        private static String keyOf(OutboxMessage message) {
            return message.topic() + "/" + message.key().orElseThrow();
        }
    }
}
