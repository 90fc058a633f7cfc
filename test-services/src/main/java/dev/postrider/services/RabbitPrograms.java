package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * RabbitMQ as the Debian package installs it, reduced to the applications of a node without plugins. A node loads every
 * module of every application to find its boot steps, and looks for each in every folder of its path. That is most of
 * the work of a start.
 */
final class RabbitPrograms {

    // The wrappers in sbin of the machine would change to another user and read the machine's configuration.
    private static final Path PACKAGE = Path.of("/usr/lib/rabbitmq/lib");
    private static final Path ERLANG = Path.of("/usr/lib/erlang/lib");
    private static final String SCRIPTS = "sbin";
    private static final String PLUGINS = "plugins";
    private static final String APPLICATIONS = "applications";

    // Mnesia is started by the node itself.
    private static final List<String> ROOTS = List.of("rabbit", "mnesia");
    private static final Pattern NEEDED = Pattern.compile("\\{applications,\\s*\\[([^\\]]*)]");
    private static final Pattern MODULES = Pattern.compile("\\{modules,\\s*\\[[^\\]]*]");

    private final Path home;

    private RabbitPrograms(Path home) {
        this.home = home;
    }

    /** Returns whether the package is installed. */
    static boolean installed() {
        return Files.isDirectory(PACKAGE) && Files.isDirectory(ERLANG);
    }

    static RabbitPrograms reduced() {
        Path installed = installation();
        return new RabbitPrograms(
                Cache.entry(installed.getFileName() + "-reduced", folder -> new Reduction(installed, folder).write()));
    }

    private static Path installation() {
        try (DirectoryStream<Path> versions = Files.newDirectoryStream(PACKAGE, "rabbitmq_server-*")) {
            return versions.iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not list " + PACKAGE, e);
        }
    }

    String program(String name) {
        return home.resolve(SCRIPTS).resolve(name).toString();
    }

    Map<String, String> environment() {
        return Map.of(
                "RABBITMQ_SCRIPTS_DIR", home.resolve(SCRIPTS).toString(),
                "RABBITMQ_PLUGINS_DIR", home.resolve(PLUGINS).toString(),
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-pa " + home.resolve(APPLICATIONS));
    }

    /** Writes links to the needed applications, and descriptions without modules of those that have no boot steps. */
    private record Reduction(Path installed, Path folder) {

        void write() throws IOException {
            Files.createDirectories(folder.resolve(PLUGINS));
            Files.createDirectories(folder.resolve(APPLICATIONS));
            Files.createSymbolicLink(folder.resolve(SCRIPTS), installed.resolve("sbin"));
            Files.createSymbolicLink(folder.resolve("escript"), installed.resolve("escript"));
            Map<String, Path> applications = new HashMap<>();
            collect(ERLANG, applications);
            collect(installed.resolve("plugins"), applications);
            Deque<String> open = new ArrayDeque<>(ROOTS);
            while (!open.isEmpty()) {
                String name = open.remove();
                Path application = applications.remove(name);
                if (application != null) {
                    open.addAll(add(name, application));
                }
            }
        }

        private static void collect(Path libraries, Map<String, Path> applications) throws IOException {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(libraries, "*-*")) {
                for (Path version : versions) {
                    applications.put(version.getFileName().toString().replaceFirst("-[^-]*$", ""), version);
                }
            }
        }

        private List<String> add(String name, Path application) throws IOException {
            if (application.startsWith(installed)) {
                Files.createSymbolicLink(folder.resolve(PLUGINS).resolve(application.getFileName()), application);
            }
            String description = Files.readString(application.resolve("ebin").resolve(name + ".app"));
            if (!name.startsWith("rabbit")) {
                Files.writeString(
                        folder.resolve(APPLICATIONS).resolve(name + ".app"),
                        MODULES.matcher(description).replaceFirst("{modules, []"));
            }
            Matcher needed = NEEDED.matcher(description);
            return needed.find() ? List.of(needed.group(1).strip().split("\\s*,\\s*")) : List.of();
        }
    }
}
