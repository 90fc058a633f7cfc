package dev.postrider.server;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Hashes a password for the settings of the server. The password comes from the terminal or from standard input. */
@Command(
        name = "password",
        description = "Reads a password and prints its hash, as postrider.server.users.<name>.password takes it.",
        mixinStandardHelpOptions = true)
final class PasswordCommand implements Callable<Integer> {

    private static final int SHORTEST = 8;

    // The hash ignores what comes after.
    private static final int MOST_BYTES = 72;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String password = read();
        if (password.length() < SHORTEST || password.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            print(
                    command().getErr(),
                    "postrider: A password has %d characters or more, and %d bytes at most"
                            .formatted(SHORTEST, MOST_BYTES));
            return 2;
        }
        print(command().getOut(), "{bcrypt}" + new BCryptPasswordEncoder().encode(password));
        return 0;
    }

    private static void print(PrintWriter to, String line) {
        to.println(line);
        to.flush();
    }

    private CommandLine command() {
        return Objects.requireNonNull(spec, "spec").commandLine();
    }

    // From Java 22 on there is always a console, which then reads standard input too.
    @SuppressWarnings("SystemConsoleNull")
    private static String read() throws IOException {
        Console console = System.console();
        if (console != null) {
            char[] typed = console.readPassword("Password: ");
            return typed == null ? "" : new String(typed);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }
}
