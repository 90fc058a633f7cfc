package dev.postrider.server;

import dev.postrider.server.source.SourceContext;
import dev.postrider.server.source.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the server in the foreground until the process is asked to end. */
@Command(
        name = "relay",
        description = "Relays the messages of one or several databases, and serves the API.",
        mixinStandardHelpOptions = true)
final class RelayCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, as YAML or properties.")
    private @Nullable Path config;

    @Option(names = "--database", paramLabel = "URL", description = "JDBC URL of the database.")
    private @Nullable String database;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the database.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the password; or set SPRING_DATASOURCE_PASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "Where messages go: kafka://host:port,host:port, amqp://user@host/vhost or http://host/path.")
    private @Nullable String broker;

    @Option(
            names = "--allow-plaintext",
            description = "Reach brokers and endpoints on other machines without encryption.")
    private boolean allowPlaintext;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting, such as postrider.relay.batch-size=500; may be repeated.")
    private Map<String, String> more = new LinkedHashMap<>();

    @Option(names = "--port", paramLabel = "PORT", description = "Port of the API, 8470 by default.")
    private @Nullable Integer port;

    @Override
    public Integer call() throws InterruptedException {
        try (PostriderServer server = PostriderServer.start(settings())) {
            say("listening on http://%s:%d, sources: %s".formatted(server.host(), server.port(), names(server)));
            server.awaitStop();
            return 0;
        } catch (StartException e) {
            say(e.line());
            return e.exitCode();
        }
    }

    private static String names(PostriderServer server) {
        return server.sources().all().stream().map(SourceContext::name).collect(Collectors.joining(", "));
    }

    private void say(String line) {
        if (spec != null) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("postrider: " + line);
            err.flush();
        }
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw new StartException(StartException.USAGE, "There is no readable file " + config, null);
            }
            settings.put("spring.config.additional-location", config.toUri().toString());
        }
        put(settings, "spring.datasource.url", database);
        put(settings, "spring.datasource.username", user);
        if (passwordFile != null) {
            settings.put("spring.datasource.password", password(passwordFile));
        }
        put(settings, "server.port", port);
        if (allowPlaintext) {
            settings.put("postrider.relay.allow-plaintext", "true");
        }
        if (broker != null) {
            settings.putAll(BrokerUrl.settings(broker));
        }
        settings.putAll(more);
        return settings;
    }

    private static String password(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new StartException(StartException.USAGE, "Cannot read the password file " + file, e);
        }
    }

    private static void put(Map<String, String> settings, String name, @Nullable Object value) {
        if (value != null) {
            settings.put(name, value.toString());
        }
    }
}
