package dev.postrider.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves the endpoint's host once for each new connection, and hands out only addresses that may be connected to. The
 * connection is made to exactly these, so there is no second answer that could differ. Thread-safe.
 */
final class CheckedDns implements DnsResolver {

    private final Endpoint endpoint;
    private final HostResolver resolver;
    private final AddressGuard guard;

    CheckedDns(Endpoint endpoint, HostResolver resolver, AddressGuard guard) {
        this.endpoint = endpoint;
        this.resolver = resolver;
        this.guard = guard;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        Optional<InetAddress> literal = endpoint.literal();
        List<InetAddress> all = literal.isPresent() ? List.of(literal.get()) : resolver.resolve(endpoint.host());
        List<InetAddress> allowed = new ArrayList<>();
        String objections = "";
        for (InetAddress address : all) {
            Optional<String> objection = guard.objection(address);
            if (objection.isEmpty()) {
                allowed.add(address);
            } else {
                objections += " %s (%s)".formatted(address.getHostAddress(), objection.get());
            }
        }
        if (allowed.isEmpty()) {
            throw all.isEmpty() ? new UnknownHostException(endpoint.host()) : new NotAllowedException(objections);
        }
        return allowed.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    /** The host has no address that may be connected to. */
    static final class NotAllowedException extends UnknownHostException {

        NotAllowedException(String objections) {
            super(objections.strip());
        }
    }
}
