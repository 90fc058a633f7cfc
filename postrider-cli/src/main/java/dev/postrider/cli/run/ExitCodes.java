package dev.postrider.cli.run;

/** The exit codes of every command. */
public final class ExitCodes {

    /** The command did what it was asked. */
    public static final int DONE = 0;

    /** The command failed. */
    public static final int FAILED = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** There is no such message, group, relay, saga or context. */
    public static final int NOT_FOUND = 3;

    /** Some rows were changed and others failed. */
    public static final int PARTLY = 4;

    /** A check was made and is not met. */
    public static final int NOT_MET = 5;

    /** The database or the server cannot be reached. */
    public static final int NO_CONNECTION = 6;

    /** The caller may not do this. */
    public static final int NOT_PERMITTED = 7;

    private ExitCodes() {}
}
