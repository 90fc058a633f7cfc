package dev.postrider.server.source;

import org.jspecify.annotations.Nullable;

/** The server cannot start, for a reason that one line explains. */
public final class StartException extends RuntimeException {

    /** Exit code of a failure. */
    public static final int FAILED = 1;

    /** Exit code of a wrong option or setting. */
    public static final int USAGE = 2;

    /** Exit code of a database that cannot be reached. */
    public static final int CANNOT_CONNECT = 6;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    /** Takes the exit code of the process and the line that a person reads. */
    public StartException(int exitCode, String line, @Nullable Throwable cause) {
        super(line.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse(line), cause);
        this.exitCode = exitCode;
    }

    /** Returns the exit code of the process. */
    public int exitCode() {
        return exitCode;
    }

    /** Returns the line that a person reads. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
