package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Messages that are handed to the publisher in a wave of their own, because a wave with them in it threw. Remembers a
 * bounded number; a message that was forgotten is sent with others again. For one thread at a time.
 */
final class SentApart {

    static final int MOST = 10_000;

    private final Set<Long> seqs = new LinkedHashSet<>();

    /** A wave with these messages threw. */
    void add(List<ClaimedMessage> wave) {
        wave.forEach(claimed -> seqs.add(claimed.seq()));
        Iterator<Long> oldest = seqs.iterator();
        while (seqs.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
    }

    /** A wave of these messages did not throw. */
    void sent(List<ClaimedMessage> wave) {
        if (!seqs.isEmpty()) {
            wave.forEach(claimed -> seqs.remove(claimed.seq()));
        }
    }

    /** Divides a wave into what may go together, and one wave for each message that goes apart. */
    List<List<ClaimedMessage>> divide(List<ClaimedMessage> wave) {
        if (seqs.isEmpty()) {
            return List.of(wave);
        }
        List<List<ClaimedMessage>> waves = new ArrayList<>();
        List<ClaimedMessage> together = new ArrayList<>();
        for (ClaimedMessage claimed : wave) {
            if (seqs.contains(claimed.seq())) {
                waves.add(List.of(claimed));
            } else {
                together.add(claimed);
            }
        }
        if (!together.isEmpty()) {
            waves.add(together);
        }
        return waves;
    }
}
