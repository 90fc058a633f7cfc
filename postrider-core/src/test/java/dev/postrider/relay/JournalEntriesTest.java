package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When an entry of the in-flight journal is removed. */
@Tag("R4.9")
class JournalEntriesTest {

    private final JournalEntries journal = new JournalEntries();

    @Test
    void anEntryEndsWithTheLastOfItsMessages() {
        journal.add(7);
        journal.add(7);
        journal.remove(7);
        assertThat(journal.ended()).isEmpty();

        journal.remove(7);

        assertThat(journal.ended()).containsExactly(7L);
    }

    @Test
    void entriesEndEachOnItsOwn() {
        journal.add(7);
        journal.add(8);

        journal.remove(8);

        assertThat(journal.ended()).containsExactly(8L);
    }

    @Test
    void anEntryOfWhichNoMessageIsInFlightEndsWithItsFetch() {
        journal.fetched(7);

        assertThat(journal.ended()).containsExactly(7L);
    }

    @Test
    void anEntryWithAMessageInFlightOutlivesItsFetch() {
        journal.add(7);

        journal.fetched(7);

        assertThat(journal.ended()).isEmpty();
    }

    @Test
    void anEntryIsRemovedAgainUntilTheStoreHasAnswered() {
        journal.fetched(7);
        Set<Long> unanswered = journal.ended();
        assertThat(journal.ended()).isEqualTo(unanswered);

        journal.removed(unanswered);

        assertThat(journal.ended()).isEmpty();
    }

    @Test
    void aBoundedNumberIsRemovedAtOnceAndNoneIsForgotten() {
        int entries = 10 * JournalEntries.MOST_AT_ONCE;
        for (long token = 0; token < entries; token++) {
            journal.fetched(token);
        }
        Set<Long> removed = new HashSet<>();

        for (int fetch = 0; fetch < 10; fetch++) {
            Set<Long> ended = journal.ended();
            assertThat(ended).hasSize(JournalEntries.MOST_AT_ONCE);
            journal.removed(ended);
            removed.addAll(ended);
        }

        assertThat(removed).hasSize(entries);
        assertThat(journal.ended()).isEmpty();
    }
}
