package dev.postrider.cli.link;

import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a target from the settings of a context. */
final class ContextSettings {

    static final List<String> NAMES = List.of(
            "database",
            "api",
            "source",
            "schema",
            "outbox-prefix",
            "inbox-prefix",
            "saga-prefix",
            "user",
            "password",
            "password-env",
            "password-file",
            "token",
            "token-env",
            "token-file");

    private static final String OWN_VARIABLES = "POSTRIDER_";

    private final CliEnvironment environment;
    private final Context context;

    ContextSettings(CliEnvironment environment, Context context) {
        this.environment = environment;
        this.context = context;
    }

    /**
     * A named context.
     *
     * @param name its name
     * @param settings what its file says
     * @param file where it was found
     * @param trusted whether the file is the user's own, and not one that came with a project
     */
    record Context(String name, Map<String, String> settings, Path file, boolean trusted) {}

    LinkTarget target() {
        String database = setting("database");
        String api = setting("api");
        if ((database == null) == (api == null)) {
            throw wrong("needs either 'database' or 'api'");
        }
        String token = secret("token");
        String password = token == null ? secret("password") : null;
        String origin = "context '%s' of %s".formatted(context.name(), context.file());
        if (api != null) {
            return new LinkTarget(
                    LinkTarget.Kind.API,
                    api,
                    new Login(setting("user"), token == null ? password : token, token != null),
                    setting("source"),
                    TableSettings.of(Map.of()),
                    context.name(),
                    origin);
        }
        DatabaseUrl url = DatabaseUrl.of(java.util.Objects.requireNonNull(database));
        return new LinkTarget(
                LinkTarget.Kind.DATABASE,
                url.jdbc(),
                new Login(url.user(), password == null ? url.password() : password, false).as(setting("user")),
                null,
                TableSettings.of(context.settings()),
                context.name(),
                origin);
    }

    private @Nullable String secret(String name) {
        String variable = setting(name + "-env");
        String file = setting(name + "-file");
        // A file that came with a project could send any secret of the user to any address.
        if (!context.trusted() && (file != null || (variable != null && !variable.startsWith(OWN_VARIABLES)))) {
            throw wrong(("comes with a project, so it may take a %s only from a variable that begins with %s;"
                            + " put the context into the user's own file instead")
                    .formatted(name, OWN_VARIABLES));
        }
        if (file != null) {
            return read(Path.of(file.replaceFirst("^~(?=/)", environment.home().toString())));
        }
        if (variable != null) {
            String value = environment.variable(variable);
            if (value == null) {
                throw wrong("takes its %s from the variable %s, which is not set".formatted(name, variable));
            }
            return value;
        }
        return setting(name);
    }

    private String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.USAGE, "Context '%s': could not read %s".formatted(context.name(), file), e);
        }
    }

    private @Nullable String setting(String name) {
        return context.settings().get(name);
    }

    private CliException wrong(String why) {
        return new CliException(
                ExitCodes.USAGE, "Context '%s' of %s %s".formatted(context.name(), context.file(), why));
    }
}
