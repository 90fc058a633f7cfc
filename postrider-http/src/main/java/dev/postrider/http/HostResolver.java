package dev.postrider.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Asks which addresses a host has. Called once for every new connection. */
@FunctionalInterface
interface HostResolver {

    /** Asks the operating system, as {@link InetAddress} does. */
    HostResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    List<InetAddress> resolve(String host) throws UnknownHostException;
}
