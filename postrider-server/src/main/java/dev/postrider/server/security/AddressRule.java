package dev.postrider.server.security;

import dev.postrider.server.source.StartException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.core.Ordered;

/** Keeps a server that knows nobody on its own machine. Immutable. */
public final class AddressRule implements WebServerFactoryCustomizer<ConfigurableServletWebServerFactory>, Ordered {

    private final @Nullable InetAddress address;
    private final boolean knowsCallers;

    AddressRule(@Nullable InetAddress address, boolean knowsCallers) {
        this.address = address;
        this.knowsCallers = knowsCallers;
    }

    @Override
    public void customize(ConfigurableServletWebServerFactory factory) {
        if (knowsCallers) {
            return;
        }
        if (address == null) {
            factory.setAddress(InetAddress.getLoopbackAddress());
        } else if (!address.isLoopbackAddress()) {
            throw new StartException(
                    StartException.USAGE,
                    "Refused to listen on %s without users: set postrider.server.users.<name>.password and .role,"
                                    .formatted(address.getHostAddress())
                            + " configure OIDC, or leave server.address out",
                    null);
        }
    }

    /** Returns the address that the server listens on, for people. */
    public String shown() {
        if (address == null) {
            return knowsCallers ? "0.0.0.0" : "localhost";
        }
        return address.isLoopbackAddress() ? "localhost" : address.getHostAddress();
    }

    /** After Spring Boot's own, which sets the address of the settings. */
    @Override
    public int getOrder() {
        return 1;
    }
}
