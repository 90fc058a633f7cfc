package dev.postrider.testkit;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.ShardOwner;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which relays live and which shards they own. Guarded by the store's lock. */
final class ShardOwners {

    private final Rows rows;
    private final Journal journal;
    private final Map<String, Instant> aliveUntil = new LinkedHashMap<>();
    private final Map<String, List<ClosedTopic>> gates = new LinkedHashMap<>();
    private final Map<String, Life> lives = new LinkedHashMap<>();
    private final Control.Wishes wishes;
    private final @Nullable String[] owners = new String[Shards.COUNT];
    private final long[] epochs = new long[Shards.COUNT];
    private final long[] lowWaters = new long[Shards.COUNT];

    /** What is known of a relay that has joined. */
    private record Life(Instant joined, RelayReport report) {}

    ShardOwners(Rows rows, Journal journal, Control.Wishes wishes) {
        this.rows = rows;
        this.journal = journal;
        this.wishes = wishes;
    }

    Membership renew(RelayReport report, Duration ownFor, Instant now) {
        String relay = report.relay();
        // A take-over has removed the relay meanwhile: what it still owns by name is no longer its own.
        if (!aliveUntil.containsKey(relay)) {
            giveUpAll(relay);
        }
        aliveUntil.put(relay, now.plus(ownFor));
        lives.merge(relay, new Life(now, report), (old, fresh) -> new Life(old.joined(), report));
        lives.keySet().retainAll(aliveUntil.keySet());
        List<OwnedShard> owned = new ArrayList<>();
        Set<Integer> free = new LinkedHashSet<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                owned.add(owned(shard));
            } else if (isFree(shard, now)) {
                free.add(shard);
            }
        }
        List<String> sharing = aliveUntil.keySet().stream()
                .filter(other -> isAlive(other, now) && wishes.mode(other) != RelayMode.DRAIN)
                .toList();
        return new Membership(sharing, owned, free, wishes.wantedOf(relay));
    }

    Acquired acquire(String relay, Set<Integer> shards, Instant now) {
        if (!isAlive(relay, now)) {
            return Acquired.NOTHING;
        }
        // From here on no settlement of a dead relay is written.
        aliveUntil.keySet().removeIf(other -> !isAlive(other, now));
        List<OwnedShard> taken = new ArrayList<>();
        Map<Integer, String> lastOwners = new LinkedHashMap<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (shards.contains(shard) && isFree(shard, now)) {
                String last = owners[shard];
                if (last != null) {
                    lastOwners.put(shard, last);
                }
                owners[shard] = relay;
                epochs[shard]++;
                taken.add(owned(shard));
            }
        }
        int lost = countLost(lastOwners);
        journal.removeIf(other -> !aliveUntil.containsKey(other) && !ownsAny(other));
        return new Acquired(taken, lost);
    }

    // Two entries may list the same row, as after a fetch without an answer: it is one lost claim.
    private int countLost(Map<Integer, String> lastOwners) {
        Set<Row> lost = new LinkedHashSet<>();
        for (String last : new LinkedHashSet<>(lastOwners.values())) {
            for (Journal.Entry entry : journal.of(last)) {
                entry.attempts().keySet().stream()
                        .sorted()
                        .map(rows::withSeq)
                        .filter(Objects::nonNull)
                        .filter(row -> entry.lists(row) && last.equals(lastOwners.get(row.shard)))
                        .forEach(lost::add);
            }
        }
        lost.forEach(row -> row.lostClaims++);
        return lost.size();
    }

    void release(String relay, List<OwnedShard> shards) {
        for (OwnedShard shard : shards) {
            if (relay.equals(owners[shard.shard()]) && epochs[shard.shard()] == shard.epoch()) {
                owners[shard.shard()] = null;
            }
        }
    }

    void leave(String relay) {
        aliveUntil.remove(relay);
        gates.remove(relay);
        wishes.forget(relay);
        journal.removeIf(relay::equals);
        giveUpAll(relay);
    }

    private void giveUpAll(String relay) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                owners[shard] = null;
            }
        }
    }

    void saveLowWater(String relay, long seq) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                lowWaters[shard] = seq;
            }
        }
    }

    void saveGates(String relay, List<ClosedTopic> closed) {
        gates.put(relay, closed);
    }

    List<ClosedTopic> closedTopics(Instant now) {
        return gates.values().stream()
                .flatMap(List::stream)
                .filter(closed -> isAlive(closed.relay(), now))
                .sorted(Comparator.comparing(ClosedTopic::topic).thenComparing(ClosedTopic::relay))
                .toList();
    }

    List<KnownRelay> known(int limit, Instant now) {
        return aliveUntil.keySet().stream()
                .limit(limit)
                .map(relay -> known(relay, now))
                .toList();
    }

    private KnownRelay known(String relay, Instant now) {
        Life life = Objects.requireNonNull(lives.get(relay));
        List<Integer> owned = IntStream.range(0, Shards.COUNT)
                .filter(shard -> relay.equals(owners[shard]))
                .boxed()
                .toList();
        return new KnownRelay(
                relay,
                life.joined(),
                Objects.requireNonNull(until(relay)),
                isAlive(relay, now),
                isAlive(relay, now) ? owned : List.of(),
                life.report(),
                wishes.mode(relay),
                wishes.decided(relay));
    }

    List<ShardOwner> shards(Instant now) {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ShardOwner(shard, isFree(shard, now) ? null : owners[shard], epochs[shard]))
                .toList();
    }

    int relays(Instant now) {
        return (int) aliveUntil.keySet().stream()
                .filter(relay -> isAlive(relay, now))
                .count();
    }

    int unowned(Instant now) {
        return (int) IntStream.range(0, Shards.COUNT)
                .filter(shard -> isFree(shard, now))
                .count();
    }

    /** Returns whether the relay lives and owns every shard it asks for under the epoch it names. */
    boolean ownsAll(FetchRequest request, Instant now) {
        return isAlive(request.relay(), now)
                && request.epochs().entrySet().stream()
                        .allMatch(each -> owns(request.relay(), each.getKey(), each.getValue()));
    }

    /** Returns whether the relay owns the shard under this epoch. Only a take-over ends that, not time. */
    boolean owns(String relay, int shard, long epoch) {
        return aliveUntil.containsKey(relay) && relay.equals(owners[shard]) && epochs[shard] == epoch;
    }

    /** Returns when the relay's ownership ends by time; null if the relay has not joined, has left or was removed. */
    @Nullable Instant until(String relay) {
        return aliveUntil.get(relay);
    }

    boolean isAlive(String relay, Instant now) {
        Instant until = aliveUntil.get(relay);
        return until != null && until.isAfter(now);
    }

    private boolean ownsAny(String relay) {
        return Arrays.asList(owners).contains(relay);
    }

    private OwnedShard owned(int shard) {
        return new OwnedShard(shard, epochs[shard], lowWaters[shard]);
    }

    private boolean isFree(int shard, Instant now) {
        String owner = owners[shard];
        return owner == null || !isAlive(owner, now);
    }
}
