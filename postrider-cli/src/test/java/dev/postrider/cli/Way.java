package dev.postrider.cli;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The two ways from a command to the API. */
enum Way {
    DATABASE,
    HTTP;

    /** A database with tables, and commands that reach it. */
    Reached open(Shop shop, Path folder) {
        if (this == DATABASE) {
            return new Reached(variables(shop), folder, () -> {});
        }
        ConsoleApi api = ConsoleApi.of(List.of(
                ConsoleSource.builder("main", shop.postrider(), shop.database().dataSource())
                        .build()));
        ApiServer server = new ApiServer(api);
        return new Reached(user(server, "ada", "secret"), folder, () -> {
            server.close();
            api.close();
        });
    }

    static Map<String, String> user(ApiServer server, String name, String password) {
        return Map.of(
                "POSTRIDER_API",
                server.url(),
                "POSTRIDER_SOURCE",
                "main",
                "POSTRIDER_USER",
                name,
                "POSTRIDER_PASSWORD",
                password);
    }

    static Map<String, String> variables(Shop shop) {
        return Map.of(
                "POSTRIDER_DATABASE", shop.database().jdbcUrl(),
                "POSTRIDER_USER", shop.database().user(),
                "POSTRIDER_PASSWORD", shop.database().password());
    }

    /** Runs commands. */
    record Reached(Map<String, String> variables, Path folder, Runnable end) implements AutoCloseable {

        CliRun run(String... arguments) {
            return CliRun.of(variables, folder, arguments);
        }

        CliRun change(String... arguments) {
            return run(Stream.concat(Arrays.stream(arguments), Stream.of("--execute", "--reason", "INC-1"))
                    .toArray(String[]::new));
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
