package dev.postrider.cli.run;

import org.jspecify.annotations.Nullable;

/** Ends a command with one clear line and an exit code. */
public final class CliException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** Ends the command with this line. */
    public CliException(int exitCode, String line) {
        this(exitCode, line, null);
    }

    /** Ends the command with this line; the cause is shown with {@code --verbose} only. */
    public CliException(int exitCode, String line, @Nullable Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
    }

    /** Returns the exit code of the process. */
    public int exitCode() {
        return exitCode;
    }
}
