package dev.postrider.http;

import dev.postrider.spi.ErrorText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A range of IP addresses, such as {@code 10.0.0.0/8}. Immutable.
 *
 * @param first the first address of the range
 * @param prefix how many of its bits all addresses of the range share
 */
record IpNet(InetAddress first, int prefix) {

    private static final String OCTET = "(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    /**
     * Reads an address or an address with the length of the prefix.
     *
     * @throws IllegalArgumentException naming the text if it is neither, or has bits set behind the prefix
     */
    static IpNet of(String text) {
        int slash = text.indexOf('/');
        InetAddress address =
                literal(slash < 0 ? text : text.substring(0, slash)).orElseThrow(() -> bad(text));
        int bits = address.getAddress().length * Byte.SIZE;
        IpNet net = new IpNet(address, slash < 0 ? bits : prefix(text, text.substring(slash + 1), bits));
        if (!net.hasOnlyPrefixBits()) {
            throw new IllegalArgumentException("'%s' has bits set behind its prefix".formatted(ErrorText.clean(text)));
        }
        return net;
    }

    /** Reads an address in its one usual form, without ever asking for a name; empty if it is anything else. */
    static Optional<InetAddress> literal(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    boolean contains(byte[] address) {
        byte[] net = first.getAddress();
        if (net.length != address.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            if (bit(net, bit) != bit(address, bit)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasOnlyPrefixBits() {
        byte[] net = first.getAddress();
        for (int bit = prefix; bit < net.length * Byte.SIZE; bit++) {
            if (bit(net, bit) != 0) {
                return false;
            }
        }
        return true;
    }

    private static int bit(byte[] address, int index) {
        return (address[index / Byte.SIZE] >> (Byte.SIZE - 1 - index % Byte.SIZE)) & 1;
    }

    private static int prefix(String text, String digits, int bits) {
        if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > bits) {
            throw bad(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException(
                "'%s' is neither an IP address nor a range like 10.0.0.0/8".formatted(ErrorText.clean(text)));
    }
}
