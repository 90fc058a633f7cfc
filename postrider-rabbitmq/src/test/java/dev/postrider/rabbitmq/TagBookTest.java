package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TagBookTest {

    private static final int HISTORIES = 40;

    private final TagBook<Long> book = new TagBook<>();

    @Test
    void aTagIsTakenOnce() {
        book.add(1L);

        assertThat(book.take(1)).isEqualTo(1L);
        assertThat(book.take(1)).isNull();
    }

    @Test
    void aTagThatWasNeverGivenIsIgnored() {
        book.add(1L);

        assertThat(book.take(0)).isNull();
        assertThat(book.take(2)).isNull();
        assertThat(book.take(-1)).isNull();
        assertThat(book.takeThrough(2)).isEmpty();
        assertThat(book.takeThrough(-1)).isEmpty();
        assertThat(book.oldest()).isEqualTo(1L);
    }

    @Test
    void aMultipleConfirmTakesTheOldestFirstAndLeavesTheRest() {
        for (long tag = 1; tag <= 5; tag++) {
            book.add(tag);
        }
        book.take(2);

        assertThat(book.takeThrough(4)).containsExactly(1L, 3L, 4L);
        assertThat(book.takeThrough(4)).isEmpty();
        assertThat(book.oldest()).isEqualTo(5L);
    }

    @Test
    void aMultipleConfirmOfZeroTakesAll() {
        book.add(1L);
        book.add(2L);

        assertThat(book.takeThrough(0)).containsExactly(1L, 2L);
    }

    @Test
    void theTagOfAWithdrawnEntryGoesToTheNext() {
        book.add(1L);
        book.add(99L);

        book.withdraw();
        book.add(2L);

        assertThat(book.take(2)).isEqualTo(2L);
        assertThat(book.take(3)).isNull();
    }

    @Test
    void aClosedBookHandsOutEverythingOnceAndTakesNothing() {
        book.add(1L);
        book.add(2L);
        book.take(1);

        assertThat(book.close()).containsExactly(2L);
        assertThat(book.add(3L)).isFalse();
        assertThat(book.close()).isEmpty();
        assertThat(book.take(2)).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverTheBrokerConfirmsEveryEntryComesOutOnceAndInTheRightPlace(long seed) {
        for (int history = 0; history < HISTORIES; history++) {
            Random random = new Random(seed * HISTORIES + history);
            run(random, "seed %d, history %d".formatted(seed, history));
        }
    }

    // The model is a sorted map of what has been given out and not taken.
    private static void run(Random random, String name) {
        TagBook<Long> book = new TagBook<>();
        TreeMap<Long, Long> model = new TreeMap<>();
        long next = 1;
        int burst = 1 + random.nextInt(600);
        for (int step = 0; step < 200; step++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    for (int i = random.nextInt(burst); i >= 0; i--) {
                        assertThat(book.add(next)).as(name).isTrue();
                        model.put(next, next);
                        next++;
                    }
                }
                case 1 -> {
                    book.add(-1L);
                    book.withdraw();
                }
                case 2 -> {
                    long through = random.nextLong(next + 3);
                    List<Long> expected = new ArrayList<>();
                    if (through < next) {
                        var taken = through == 0 ? model : model.headMap(through, true);
                        expected.addAll(taken.values());
                        taken.clear();
                    }
                    assertThat(book.takeThrough(through)).as(name).isEqualTo(expected);
                }
                default -> {
                    long tag = random.nextLong(next + 3);
                    assertThat(book.take(tag)).as(name).isEqualTo(model.remove(tag));
                }
            }
            assertThat(book.oldest())
                    .as(name)
                    .isEqualTo(model.isEmpty() ? null : model.firstEntry().getValue());
        }
        assertThat(book.close()).as(name).isEqualTo(List.copyOf(model.values()));
    }
}
