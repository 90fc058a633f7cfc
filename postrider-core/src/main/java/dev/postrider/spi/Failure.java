package dev.postrider.spi;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an error has in common with others of its kind, so that a thousand dead messages show as one cause. It holds no
 * more than the error's text does, and nothing an exception says about itself.
 */
public final class Failure {

    private static final String ANY = "*";
    private static final int MAX_CAUSES = 50;
    // What is replaced gets shorter: a longer text than the result is worth reading.
    private static final int MAX_READ = 2_000;

    private static final List<String> NOT_THE_APPLICATION = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "jdk.",
            "sun.",
            "com.sun.",
            "dev.postrider.",
            "org.apache.kafka.",
            "com.rabbitmq.",
            "org.apache.hc.",
            "org.springframework.");

    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");
    // A text may end within a quotation, because it was cut. An apostrophe stands in a word, a single quote does not.
    private static final Pattern QUOTED =
            Pattern.compile("\"[^\"]*+(?:\"|$)|`[^`]*+(?:`|$)" + "|(?<![\\p{L}\\p{N}])'.*?(?:'(?![\\p{L}\\p{N}])|$)");
    private static final Pattern VARYING = Pattern.compile(
            // A UUID
            "\\b\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}\\b"
                    // a time, which has letters between its numbers
                    + "|\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?"
                    // the address of an object, a hash or another hexadecimal number
                    + "|(?<=@)\\p{XDigit}+\\b|\\b0x\\p{XDigit}+\\b|\\b(?=\\p{XDigit}*?\\d)\\p{XDigit}{6,}\\b"
                    // a made-up id: long, and letters and digits take turns
                    + "|\\b(?=(?:[A-Za-z]*+\\d++){3})[A-Za-z0-9]{16,}\\b"
                    // any other number, and what is made of them, as an address is
                    + "|\\d++(?:[.,:]\\d++)*+");

    private Failure() {}

    /** Names the type of the innermost cause and where in the application it was thrown. */
    public static String of(Throwable error) {
        try {
            Throwable root = root(error);
            String type = named(root.getClass().getName());
            return ErrorText.clean(place(root).map(at -> type + " at " + at).orElse(type));
        } catch (RuntimeException e) {
            // An error that cannot even say what caused it must not go unanswered.
            return ErrorText.type(error);
        }
    }

    /** Returns the text with a {@code *} for everything that differs from one message to the next. */
    public static String of(String text) {
        String plain =
                SPACE.matcher(ErrorText.clean(text, MAX_READ)).replaceAll(" ").strip();
        String unquoted =
                QUOTED.matcher(plain).replaceAll(match -> quoted(match.group().charAt(0)));
        return ErrorText.clean(VARYING.matcher(unquoted).replaceAll(ANY));
    }

    private static String quoted(char mark) {
        return mark + ANY + mark;
    }

    private static Throwable root(Throwable error) {
        Throwable root = error;
        for (int depth = 0; depth < MAX_CAUSES && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        return root;
    }

    private static Optional<String> place(Throwable root) {
        for (StackTraceElement frame : root.getStackTrace()) {
            if (isOfTheApplication(frame.getClassName())) {
                return Optional.of(named(frame.getClassName()) + "."
                        + LAMBDA.matcher(frame.getMethodName()).replaceFirst("$1"));
            }
        }
        return Optional.empty();
    }

    // Proxies are made anew in every process, under other names.
    private static boolean isOfTheApplication(String type) {
        return !type.contains("$$")
                && !type.contains("$Proxy")
                && NOT_THE_APPLICATION.stream().noneMatch(type::startsWith);
    }

    // A hidden class has an address in its name.
    private static String named(String type) {
        int address = type.indexOf('/');
        return address < 0 ? type : type.substring(0, address);
    }
}
