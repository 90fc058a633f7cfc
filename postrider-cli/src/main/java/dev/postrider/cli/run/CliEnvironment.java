package dev.postrider.cli.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a command runs.
 *
 * @param variables the environment variables
 * @param home the user's home
 * @param folder the folder in which the command was started
 * @param user the name of the user, as the audit trail shows it
 * @param terminal whether a person reads the output on a terminal
 * @param columns the characters in a line of the terminal; zero if unknown
 * @param clock tells the age of things
 * @param data where answers go: the standard output of the process
 */
public record CliEnvironment(
        Map<String, String> variables,
        Path home,
        Path folder,
        String user,
        boolean terminal,
        int columns,
        Clock clock,
        OutputStream data) {

    private static final String TERMINAL = "postrider.terminal";
    private static final String INPUT = "postrider.input";
    private static final String COLUMNS = "postrider.columns";

    /** Copies the variables. */
    public CliEnvironment {
        variables = Map.copyOf(variables);
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(data, "data");
    }

    /** Returns the environment of this process. Java 17 cannot tell a terminal; the launcher can. */
    public static CliEnvironment ofProcess() {
        boolean terminal = Boolean.getBoolean(TERMINAL);
        return new CliEnvironment(
                System.getenv(),
                Path.of(System.getProperty("user.home", ".")),
                Path.of("").toAbsolutePath(),
                System.getProperty("user.name", "unknown"),
                terminal,
                terminal ? number(System.getProperty(COLUMNS, System.getenv("COLUMNS"))) : 0,
                Clock.systemUTC(),
                new FileOutputStream(FileDescriptor.out));
    }

    /** Returns whether a person can answer a question on the standard input. */
    public static boolean personTypes() {
        return Boolean.getBoolean(TERMINAL) && Boolean.getBoolean(INPUT);
    }

    /** Returns an environment variable; an empty one counts as missing. */
    public @Nullable String variable(String name) {
        String value = variables.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    private static int number(@Nullable String text) {
        try {
            return text == null ? 0 : Math.max(0, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
