package dev.postrider.console.filter;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the word that a person most likely meant. */
final class Nearest {

    private static final int MOST_CHANGES = 3;
    private static final int LONGEST = 40;

    private Nearest() {}

    static Optional<String> of(String typed, List<String> words) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        return words.stream()
                .filter(word -> changes(typed, word) <= Math.min(MOST_CHANGES, word.length() / 2 + 1))
                .min(Comparator.comparingInt(word -> changes(typed, word)));
    }

    /** Counts the letters to insert, remove or replace (Levenshtein). */
    static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
