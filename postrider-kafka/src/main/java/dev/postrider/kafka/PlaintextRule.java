package dev.postrider.kafka;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.AbstractConfig;

/** Nothing leaves the machine unencrypted unless somebody wrote down that it may. */
final class PlaintextRule {

    // By its text: looking a name up could block, and could be answered differently a moment later.
    private static final Pattern LOOPBACK = Pattern.compile(
            "([A-Za-z0-9_]+://)?(localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[(0:){7}1])(:\\d+)?",
            Pattern.CASE_INSENSITIVE);

    private PlaintextRule() {}

    static void check(AbstractConfig config, boolean allowed) {
        String protocol =
                config.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG).toUpperCase(Locale.ROOT);
        if (allowed || !protocol.endsWith("PLAINTEXT")) {
            return;
        }
        List<String> servers = config.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        servers.stream()
                .filter(server -> !LOOPBACK.matcher(server.strip()).matches())
                .findFirst()
                .ifPresent(server -> {
                    throw new IllegalArgumentException(
                            "security.protocol is %s, so messages and passwords would go to %s unencrypted:"
                                            .formatted(protocol, server)
                                    + " set it to SSL or SASL_SSL, or write allowPlaintext(true)");
                });
    }
}
