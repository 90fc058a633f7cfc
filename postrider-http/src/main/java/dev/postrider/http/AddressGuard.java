package dev.postrider.http;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Says which addresses must not be connected to, because a name on the internet must not lead into our own network.
 * Immutable.
 */
final class AddressGuard {

    private static final int IPV4_BYTES = 4;
    private static final String MAPPED = "00000000000000000000ffff";
    private static final IpNet NAT64 = IpNet.of("64:ff9b::/96");
    private static final IpNet UNIQUE_LOCAL = IpNet.of("fc00::/7");
    private static final IpNet LINK_LOCAL = IpNet.of("169.254.0.0/16");
    private static final IpNet GLOBAL_UNICAST = IpNet.of("2000::/3");

    // The first that matches decides, so single addresses stand before the ranges around them.
    private static final List<Rule> RULES = List.of(
            Rule.never("169.254.169.254", "cloud metadata"),
            Rule.never("168.63.129.16", "cloud metadata"),
            Rule.never("100.100.100.200", "cloud metadata"),
            Rule.never("192.0.0.192", "cloud metadata"),
            // Amazon has time, names and credentials of pods here as well; the others are Google, Oracle and Scaleway.
            Rule.never("fd00:ec2::/32", "cloud metadata"),
            Rule.never("fd20:ce::/32", "cloud metadata"),
            Rule.never("fd00:c1::/32", "cloud metadata"),
            Rule.never("fd00:42::42", "cloud metadata"),
            Rule.local("10.0.0.0/8", "private"),
            Rule.local("172.16.0.0/12", "private"),
            Rule.local("192.168.0.0/16", "private"),
            Rule.local("100.64.0.0/10", "shared by a carrier"),
            Rule.local("127.0.0.0/8", "loopback"),
            Rule.local("::1", "loopback"),
            Rule.local("fc00::/7", "private"),
            Rule.never("0.0.0.0/8", "unspecified"),
            Rule.never("169.254.0.0/16", "link-local"),
            Rule.never("192.0.0.0/24", "reserved"),
            Rule.never("192.0.2.0/24", "documentation"),
            Rule.never("192.88.99.0/24", "reserved"),
            Rule.never("198.18.0.0/15", "benchmarking"),
            Rule.never("198.51.100.0/24", "documentation"),
            Rule.never("203.0.113.0/24", "documentation"),
            Rule.never("224.0.0.0/4", "multicast"),
            Rule.never("255.255.255.255", "broadcast"),
            Rule.never("240.0.0.0/4", "reserved"),
            Rule.never("::", "unspecified"),
            Rule.never("::/96", "IPv4-compatible"),
            Rule.never("fe80::/10", "link-local"),
            Rule.never("fec0::/10", "site-local"),
            Rule.never("ff00::/8", "multicast"),
            Rule.never("2001::/23", "reserved, with Teredo"),
            Rule.never("2001:db8::/32", "documentation"),
            Rule.never("2002::/16", "6to4"),
            Rule.never("3fff::/20", "documentation"));

    private final List<IpNet> allowed;
    private final boolean localAllowed;

    /**
     * Why a range is refused.
     *
     * @param local whether hosts of our own live there, so that a host may be allowed to be one of them
     */
    private record Rule(IpNet net, String reason, boolean local) {

        static Rule never(String net, String reason) {
            return new Rule(IpNet.of(net), reason, false);
        }

        static Rule local(String net, String reason) {
            return new Rule(IpNet.of(net), reason, true);
        }
    }

    /** Lets the allowed ranges pass, and with {@code localAllowed} loopback and private addresses as well. */
    AddressGuard(List<IpNet> allowed, boolean localAllowed) {
        this.allowed = List.copyOf(allowed);
        this.localAllowed = localAllowed;
    }

    /** Returns why the address must not be connected to; empty if it may be. */
    Optional<String> objection(InetAddress address) {
        return objection(unmapped(address.getAddress()));
    }

    private Optional<String> objection(byte[] address) {
        if (allowed.stream().anyMatch(net -> net.contains(address))) {
            return Optional.empty();
        }
        if (NAT64.contains(address)) {
            return objection(lastFour(address)).map(reason -> "behind NAT64: " + reason);
        }
        if (UNIQUE_LOCAL.contains(address) && LINK_LOCAL.contains(lastFour(address))) {
            return Optional.of("a link-local address, as cloud metadata has it, in an IPv6 one");
        }
        Optional<Rule> rule =
                RULES.stream().filter(each -> each.net().contains(address)).findFirst();
        if (rule.isPresent()) {
            return rule.filter(each -> !(each.local() && localAllowed)).map(Rule::reason);
        }
        boolean unknown = address.length > IPV4_BYTES && !GLOBAL_UNICAST.contains(address);
        return unknown ? Optional.of("not a public address") : Optional.empty();
    }

    private static byte[] unmapped(byte[] address) {
        return MAPPED.equals(HexFormat.of().formatHex(address, 0, address.length - IPV4_BYTES))
                ? lastFour(address)
                : address;
    }

    private static byte[] lastFour(byte[] address) {
        return Arrays.copyOfRange(address, address.length - IPV4_BYTES, address.length);
    }
}
