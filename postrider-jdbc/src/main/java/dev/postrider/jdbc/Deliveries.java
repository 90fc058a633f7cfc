package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimedMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Delivered messages by the tokens of their claims, in the order of the tokens.
 *
 * @param noted of claims that are noted beside their rows
 * @param inRows of claims that are written into their rows
 */
record Deliveries(Map<Long, List<Long>> noted, Map<Long, List<Long>> inRows) {

    /** Sorts what was delivered, with {@code written} for claims that are being written into their rows. */
    static Deliveries of(Batch batch, NotedClaims notes, Set<Long> written) {
        Map<Boolean, TreeMap<Long, List<Long>>> sorted = Stream.concat(
                        batch.deleted().stream(),
                        batch.updated().stream()
                                .filter(each -> each.status() == MessageStatus.DELIVERED)
                                .map(Transition::claimed))
                .collect(Collectors.partitioningBy(
                        each -> notes.isNoted(each.token()) && !written.contains(each.token()),
                        Collectors.groupingBy(
                                ClaimedMessage::token,
                                TreeMap::new,
                                Collectors.mapping(ClaimedMessage::seq, Collectors.toList()))));
        return new Deliveries(sorted.getOrDefault(true, new TreeMap<>()), sorted.getOrDefault(false, new TreeMap<>()));
    }
}
