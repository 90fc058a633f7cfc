package dev.postrider.verification.simulator;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the command line asks for. */
final class Options {

    private static final long QUICK = 100_000;

    static final String HELP = """
            usage: ./verification/run [--quick] [--histories N] [--first S] [--threads N]
                   ./verification/run --mutant NAME
                   ./verification/run --seed S [--mutant NAME]

            Runs the real relay in virtual time under faults drawn from a seed, and checks every history.

              --quick        100,000 histories of the engine as it is, then all mutants (the default)
              --histories N  as many histories, then all mutants
              --first S      the first seed, 0 by default
              --threads N    2 by default
              --mutant NAME  only this mutant
              --seed S       only this seed, twice; prints what happened if it violates anything

            Last line: histories=N violations=N mutants=found/all
            Exit code 1 if there is a violation, a mutant that was not found, or a seed with two different histories.
            """;

    private long histories = QUICK;
    private long first;
    private int threads = 2;
    private boolean help;
    private OptionalLong seed = OptionalLong.empty();
    private @Nullable Mutant mutant;

    private Options() {}

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    static Options of(String[] arguments) {
        Options options = new Options();
        Iterator<String> words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            options.read(words.next(), words);
        }
        return options;
    }

    private void read(String option, Iterator<String> words) {
        switch (option) {
            case "--quick" -> histories = QUICK;
            case "--histories" -> histories = number(option, words);
            case "--first" -> first = number(option, words);
            case "--threads" -> threads = (int) number(option, words);
            case "--mutant" -> mutant = Mutant.valueOf(word(option, words).toUpperCase(Locale.ROOT));
            case "--seed" -> seed = OptionalLong.of(number(option, words));
            case "--help", "-h" -> help = true;
            default -> throw new IllegalArgumentException("unknown option '%s', see --help".formatted(option));
        }
    }

    private static long number(String option, Iterator<String> words) {
        return Long.parseLong(word(option, words).replace("_", "").replace(",", ""));
    }

    private static String word(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return words.next();
    }

    long histories() {
        return histories;
    }

    long first() {
        return first;
    }

    int threads() {
        return threads;
    }

    boolean help() {
        return help;
    }

    OptionalLong seed() {
        return seed;
    }

    @Nullable Mutant mutant() {
        return mutant;
    }
}
