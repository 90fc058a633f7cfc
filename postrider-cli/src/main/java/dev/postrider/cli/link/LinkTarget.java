package dev.postrider.cli.link;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a command connects to, and where that was decided.
 *
 * @param kind a database or a server
 * @param url a JDBC URL, or the address of the server
 * @param login how to sign in
 * @param source the source at the server; null for the only one
 * @param tables what the tables of a database are called
 * @param context the name of the context; null if there is none
 * @param origin where the address was found, for {@code config explain}
 */
public record LinkTarget(
        Kind kind,
        String url,
        Login login,
        @Nullable String source,
        TableSettings tables,
        @Nullable String context,
        String origin) {

    private static final Pattern SECRET =
            Pattern.compile("(?i)((?:password|passwd|pwd|token|secret)\\w*=)[^;&]*|(?<=://)([^/@:]*):[^/@]*@");

    /** The two ways to the API. */
    public enum Kind {
        /** The API runs in this JVM over a database. */
        DATABASE,
        /** The API of a server. */
        API
    }

    /** Returns the user; null if none is given. */
    public @Nullable String user() {
        return login.user();
    }

    /** Returns whether a password or a token is known. */
    public boolean signsIn() {
        return login.secret() != null;
    }

    /** Returns whether the secret is a token. */
    public boolean bearer() {
        return login.bearer();
    }

    /** Returns the database schema of the tables; null for where the connection looks. */
    public @Nullable String schema() {
        return tables.schema();
    }

    @Nullable String secret() {
        return login.secret();
    }

    /** Returns the URL without a password in it. */
    public String shownUrl() {
        return masked(url);
    }

    /** Returns a text without the passwords of the URLs in it. */
    public static String masked(String text) {
        return SECRET.matcher(text)
                .replaceAll(match -> match.group(1) != null ? match.group(1) + "****" : match.group(2) + ":****@");
    }

    /** Never shows the secret. */
    @Override
    public String toString() {
        return kind + " " + shownUrl();
    }
}
