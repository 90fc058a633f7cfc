package dev.postrider.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say what a command connects to. */
final class ConnectionFlags {

    @Option(
            names = {"-c", "--context"},
            paramLabel = "NAME",
            description = "A context of the configuration file; see 'postrider context --help'.")
    @Nullable String context;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "A database: jdbc:…, postgres://…, mysql://… or mariadb://…. The password is taken from the"
                    + " URL, POSTRIDER_PASSWORD or a context.")
    @Nullable String database;

    @Option(
            names = "--api",
            paramLabel = "URL",
            description = "The address of a Postrider server. POSTRIDER_TOKEN, or POSTRIDER_USER with"
                    + " POSTRIDER_PASSWORD, sign in.")
    @Nullable String api;

    @Option(names = "--user", paramLabel = "NAME", description = "The user of the database or the server.")
    @Nullable String user;

    @Option(
            names = "--source",
            paramLabel = "NAME",
            description = "The source at the server; needed only if it has several.")
    @Nullable String source;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The database schema of the tables; where the connection looks if it is not given.")
    @Nullable String schema;
}
