package dev.postrider.cli.link;

import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database in the ways in which people write it: a JDBC URL, the {@code postgres://} URL of many
 * platforms, or the variables of PostgreSQL.
 *
 * @param jdbc the JDBC URL, without the user and password of a platform URL
 * @param user the user in the URL; null if there is none
 * @param password the password in the URL; null if there is none
 */
record DatabaseUrl(
        String jdbc, @Nullable String user, @Nullable String password) {

    private static final String JDBC = "jdbc:";

    static DatabaseUrl of(String url) {
        return url.startsWith(JDBC) ? new DatabaseUrl(url, null, null) : platform(url);
    }

    /** Returns the database of {@code PGHOST}, {@code PGDATABASE} and their like, or null if none is set. */
    static @Nullable DatabaseUrl ofPostgresVariables(CliEnvironment environment) {
        if (environment.variable("PGHOST") == null && environment.variable("PGDATABASE") == null) {
            return null;
        }
        String user = environment.variable("PGUSER");
        String database = or(environment.variable("PGDATABASE"), or(user, environment.user()));
        String mode = environment.variable("PGSSLMODE");
        String jdbc = "jdbc:postgresql://%s:%s/%s%s"
                .formatted(
                        or(environment.variable("PGHOST"), "localhost"),
                        or(environment.variable("PGPORT"), "5432"),
                        database,
                        mode == null ? "" : "?sslmode=" + mode);
        return new DatabaseUrl(jdbc, or(user, environment.user()), environment.variable("PGPASSWORD"));
    }

    private static DatabaseUrl platform(String url) {
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme();
            String product = switch (scheme) {
                case "postgres", "postgresql" -> "postgresql";
                case "mysql", "mariadb" -> scheme;
                default -> throw unknown(url, null);
            };
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            String[] login = uri.getRawUserInfo() == null
                    ? new String[0]
                    : uri.getRawUserInfo().split(":", 2);
            return new DatabaseUrl(
                    JDBC + product + "://" + uri.getHost() + port + uri.getRawPath() + query,
                    login.length > 0 ? decoded(login[0]) : null,
                    login.length > 1 ? decoded(login[1]) : null);
        } catch (URISyntaxException e) {
            throw unknown(url, e);
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String or(@Nullable String value, String other) {
        return value == null ? other : value;
    }

    private static CliException unknown(String url, @Nullable Throwable cause) {
        return new CliException(
                ExitCodes.USAGE,
                "This is no URL of a database: %s. Write for example jdbc:postgresql://localhost:5432/shop"
                        .formatted(LinkTarget.masked(url)),
                cause);
    }
}
