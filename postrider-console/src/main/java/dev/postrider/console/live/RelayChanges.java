package dev.postrider.console.live;

import dev.postrider.admin.KnownRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Remembers for a while which relays joined and left. Not thread-safe. */
final class RelayChanges {

    private static final Duration SHOWN = Duration.ofMinutes(10);
    private static final int MOST = 10;

    private final Deque<RelayNews> changes = new ArrayDeque<>();
    private @Nullable Set<String> living;

    private record RelayNews(Instant at, String text) {}

    List<String> add(List<KnownRelay> relays, Instant now) {
        Set<String> before = living;
        Set<String> after = relays.stream()
                .filter(KnownRelay::alive)
                .map(KnownRelay::id)
                .collect(Collectors.toCollection(TreeSet::new));
        if (before != null) {
            after.stream().filter(each -> !before.contains(each)).forEach(each -> note(now, each + " joined"));
            before.stream().filter(each -> !after.contains(each)).forEach(each -> note(now, each + " left"));
        }
        living = after;
        changes.removeIf(change -> change.at.isBefore(now.minus(SHOWN)));
        return changes.stream().map(RelayNews::text).toList();
    }

    private void note(Instant now, String text) {
        changes.addFirst(new RelayNews(now, text));
        while (changes.size() > MOST) {
            changes.removeLast();
        }
    }
}
