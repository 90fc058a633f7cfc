package dev.postrider.jdbc;

import dev.postrider.spi.ClaimSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the rows one claim has locked.
 *
 * @param taken claimed
 * @param behind put behind the message that holds their key
 * @param firstLeft the lowest sequence that is neither, although it is claimable; null if there is none
 * @param cut whether the bytes ended the claim
 */
record Verdict(
        List<Candidate> taken,
        List<Candidate> behind,
        @Nullable Long firstLeft,
        boolean cut) {

    /**
     * Judges the locked rows in their order.
     *
     * @param missed claimable rows that somebody else has locked: later rows of their keys are left alone
     * @param holders the first message that holds each key
     * @param pinned those of the holders that cannot be settled before this claim commits
     */
    static Verdict of(
            List<Candidate> locked,
            List<Candidate> missed,
            Map<KeyName, Long> holders,
            Set<Long> pinned,
            ClaimSize size) {
        Map<KeyName, Long> late = firstOfEachKey(missed);
        List<Candidate> taken = new ArrayList<>();
        List<Candidate> behind = new ArrayList<>();
        Long firstLeft = missed.stream().map(Candidate::seq).min(Long::compare).orElse(null);
        long bytes = 0;
        boolean cut = false;
        for (Candidate row : locked) {
            Long holder = earlier(holders, row);
            boolean isLate = earlier(late, row) != null;
            if (!isLate && holder != null && pinned.contains(holder)) {
                behind.add(row);
            } else if (!isLate && holder == null && !cut && fits(taken, bytes + row.bytes(), size)) {
                taken.add(row);
                bytes += row.bytes();
            } else {
                cut |= !isLate && holder == null;
                firstLeft = firstLeft == null ? row.seq() : Math.min(firstLeft, row.seq());
            }
        }
        return new Verdict(taken, behind, firstLeft, cut);
    }

    private static boolean fits(List<Candidate> taken, long bytes, ClaimSize size) {
        return taken.isEmpty() || bytes <= size.bytes();
    }

    private static @Nullable Long earlier(Map<KeyName, Long> firsts, Candidate row) {
        Long first = row.key() == null ? null : firsts.get(row.key());
        return first != null && first < row.seq() ? first : null;
    }

    private static Map<KeyName, Long> firstOfEachKey(List<Candidate> rows) {
        Map<KeyName, Long> firsts = new HashMap<>();
        for (Candidate row : rows) {
            if (row.key() != null) {
                firsts.merge(row.key(), row.seq(), Math::min);
            }
        }
        return firsts;
    }
}
