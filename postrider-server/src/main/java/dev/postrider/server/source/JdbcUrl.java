package dev.postrider.server.source;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows JDBC URLs without what may be secret: the user information and the parameters. */
final class JdbcUrl {

    private static final Pattern USER = Pattern.compile("//[^/@\\s]*@");
    private static final Pattern PARAMETERS = Pattern.compile("(jdbc:[^?;\\s]*)[?;]\\S*");

    private JdbcUrl() {}

    /** Returns a text without the user information and the parameters of the URLs in it. */
    static String shown(@Nullable String text) {
        if (text == null) {
            return "no reason given";
        }
        String plain = USER.matcher(text).replaceAll("//");
        return PARAMETERS.matcher(plain).replaceAll("$1");
    }
}
