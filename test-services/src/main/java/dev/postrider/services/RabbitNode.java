package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a RabbitMQ node lives and how its programs are called.
 *
 * @param folder holds everything the node writes
 * @param port the AMQP port
 * @param nodePort where {@code rabbitmqctl} finds the node
 * @param mapperPort the port of the port mapper, which tells {@code rabbitmqctl} the node's port
 */
record RabbitNode(Path folder, int port, int nodePort, int mapperPort) {

    // The wrappers in sbin would change to another user and read the machine's configuration.
    private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");

    static Optional<String> obstacle() {
        return Files.isExecutable(PROGRAMS.resolve("rabbitmq-server"))
                ? Optional.empty()
                : Optional.of("RabbitMQ is missing: sudo apt-get install -y rabbitmq-server");
    }

    static RabbitNode create() {
        RabbitNode node =
                new RabbitNode(Folders.createTemporary(), Machine.freePort(), Machine.freePort(), Machine.freePort());
        try {
            Path cookie = node.folder.resolve(".erlang.cookie");
            Files.writeString(cookie, UUID.randomUUID().toString());
            Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
            Files.writeString(node.folder.resolve("enabled_plugins"), "[].");
            Files.writeString(node.folder.resolve("rabbitmq.conf"), """
                    log.console = true
                    log.console.level = warning
                    log.file = false
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare " + node.folder, e);
        }
        return node;
    }

    ProcessBuilder portMapper() {
        return program(List.of("epmd"));
    }

    ProcessBuilder server() {
        ProcessBuilder builder =
                program(List.of(PROGRAMS.resolve("rabbitmq-server").toString()));
        // Makes the script become the server instead of waiting for it as its parent.
        builder.environment().put("RUNNING_UNDER_SYSTEMD", "true");
        return builder;
    }

    List<String> control(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(PROGRAMS.resolve("rabbitmqctl").toString(), "--quiet"));
        command.addAll(List.of(arguments));
        return command;
    }

    private ProcessBuilder program(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment());
        return builder;
    }

    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
        environment.put("RABBITMQ_NODENAME", "postrider" + port + "@localhost");
        environment.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
        environment.put("RABBITMQ_NODE_PORT", Integer.toString(port));
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(nodePort));
        environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
        environment.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE",
                folder.resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq").toString());
        // Does not exist: the machine's own file must not be read.
        environment.put("RABBITMQ_CONF_ENV_FILE", folder.resolve("none").toString());
        return environment;
    }
}
