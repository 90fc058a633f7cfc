package dev.postrider.http;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ErrorText;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where requests go: a constant scheme, host and port, and a path that may take values from the message. What is not
 * plainly one host is refused, because another reader of the same text might see another host in it. Immutable.
 */
final class Endpoint {

    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final int MAX_PORT = 65_535;
    private static final Pattern URL =
            Pattern.compile("(?<scheme>(?i)https?)://(?<authority>[^/?#\\\\]*)(?<path>/[^?#]*)?(?<query>\\?[^#]*)?");
    private static final Pattern AUTHORITY =
            Pattern.compile("(?<host>[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:(?<port>[0-9]{1,5}))?");
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");
    private static final Pattern LAST_LABEL_IS_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");

    private final String scheme;
    private final String host;
    private final int port;
    private final NameTemplate target;

    private Endpoint(String scheme, String host, int port, NameTemplate target) {
        this.scheme = scheme;
        this.host = host;
        this.port = port;
        this.target = target;
    }

    /**
     * Reads a URL with placeholders in its path or query.
     *
     * @throws IllegalArgumentException saying what is wrong, without the path, which may be a secret
     */
    static Endpoint of(String url) {
        if (!url.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new IllegalArgumentException(
                    "The endpoint has blanks, control characters or letters outside ASCII; encode them");
        }
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "The endpoint must be https://host/path without a fragment or a backslash in front of the path");
        }
        String authority = parts.group("authority");
        if (authority.indexOf('@') >= 0) {
            throw new IllegalArgumentException("The endpoint has user information before its host; use authorization");
        }
        Matcher server = AUTHORITY.matcher(authority);
        if (!server.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a constant host with an optional port".formatted(ErrorText.clean(authority)));
        }
        String scheme = parts.group("scheme").toLowerCase(Locale.ROOT);
        return new Endpoint(scheme, host(server.group("host")), port(scheme, server.group("port")), target(parts));
    }

    private static String host(String written) {
        String host = written.toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            return address(host.substring(1, host.length() - 1), "is not an IPv6 address");
        }
        if (LAST_LABEL_IS_NUMBER.matcher(host).matches()) {
            return address(host, "is not an IPv4 address of four decimal numbers");
        }
        if (!NAME.matcher(host).matches()) {
            throw badHost(host, "is not a host name; write it without a dot at the end");
        }
        return host;
    }

    private static String address(String host, String otherwise) {
        if (IpNet.literal(host).isEmpty()) {
            throw badHost(host, otherwise);
        }
        return host;
    }

    private static int port(String scheme, String written) {
        int port = written == null ? standardPort(scheme) : Integer.parseInt(written);
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("The endpoint's port must be between 1 and 65535 but was " + port);
        }
        return port;
    }

    private static NameTemplate target(Matcher parts) {
        String path = parts.group("path") == null ? "/" : parts.group("path");
        String query = parts.group("query") == null ? "" : parts.group("query");
        NameTemplate target = template(path + query);
        try {
            URI sample = new URI((path + query).replaceAll("\\{[a-z]*}", "x"));
            if (sample.getRawAuthority() != null || hasDots(sample.getRawPath())) {
                throw new IllegalArgumentException("The endpoint's path begins with // or has . or .. in it");
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The endpoint's path or query has a character that must be encoded");
        }
        return target;
    }

    private static NameTemplate template(String target) {
        try {
            return NameTemplate.of(target);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The endpoint's path has a brace without its partner or an unknown placeholder;"
                            + " known are {key}, {namespace}, {tenant}, {topic} and {type}");
        }
    }

    /**
     * Returns the path and query for this message, its values percent-encoded.
     *
     * @throws IllegalArgumentException if the message lacks a value, or the value would lead out of the path
     */
    String target(OutboxMessage message) {
        String template = target.toString();
        if (template.contains("{key}") && message.key().isEmpty()) {
            throw new IllegalArgumentException("The endpoint's path needs a key but the message has none");
        }
        if (template.contains("{tenant}") && message.tenant().isEmpty()) {
            throw new IllegalArgumentException("The endpoint's path needs a tenant but the message has none");
        }
        String rendered = target.render(message, HeaderText::percentEncoded);
        int query = rendered.indexOf('?');
        String path = query < 0 ? rendered : rendered.substring(0, query);
        if (hasDots(path) || path.startsWith("//")) {
            throw new IllegalArgumentException("A value of the message would lead out of the endpoint's path");
        }
        return rendered;
    }

    // Servers resolve these even if they are encoded.
    private static boolean hasDots(String path) {
        return Arrays.stream(path.split("/", -1))
                .anyMatch(segment -> segment.replaceAll("(?i)%2e", ".").matches("\\.\\.?"));
    }

    boolean encrypted() {
        return scheme.equals("https");
    }

    String scheme() {
        return scheme;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** The port as it belongs into the Host header: -1 if it goes without saying. */
    int writtenPort() {
        return port == standardPort(scheme) ? -1 : port;
    }

    /** The address, if the host is written as one. */
    Optional<InetAddress> literal() {
        return IpNet.literal(host);
    }

    /** Scheme, host and port only: the path of a webhook is often its password. */
    @Override
    public String toString() {
        String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return scheme + "://" + shown + (writtenPort() < 0 ? "" : ":" + port);
    }

    /** Whether a text from the other side is a plain host name, fit to be shown. */
    static boolean isName(String text) {
        return text.length() <= 253
                && NAME.matcher(text.toLowerCase(Locale.ROOT)).matches();
    }

    private static int standardPort(String scheme) {
        return scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    }

    private static IllegalArgumentException badHost(String host, String why) {
        return new IllegalArgumentException("The endpoint's host '%s' %s".formatted(ErrorText.clean(host), why));
    }
}
