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
 * @param programs what runs the node
 * @param folder holds everything the node writes; its programs run there
 * @param port the AMQP port
 * @param nodePort where {@code rabbitmqctl} finds the node
 * @param mapperPort the port of the port mapper, which tells {@code rabbitmqctl} the node's port
 */
record RabbitNode(RabbitPrograms programs, Path folder, int port, int nodePort, int mapperPort) {

    static Optional<String> obstacle() {
        return RabbitPrograms.installed()
                ? Optional.empty()
                : Optional.of("RabbitMQ is missing: sudo apt-get install -y rabbitmq-server");
    }

    static RabbitNode create() {
        RabbitNode node = new RabbitNode(
                RabbitPrograms.reduced(),
                Folders.createTemporary(),
                Machine.freePort(),
                Machine.freePort(),
                Machine.freePort());
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
        ProcessBuilder builder = program(List.of(programs.program("rabbitmq-server")));
        // Makes the script become the server instead of waiting for it as its parent.
        builder.environment().put("RUNNING_UNDER_SYSTEMD", "true");
        return builder;
    }

    ProcessBuilder control(String... arguments) {
        List<String> command = new ArrayList<>(List.of(programs.program("rabbitmqctl"), "--quiet"));
        command.addAll(List.of(arguments));
        return program(command);
    }

    private ProcessBuilder program(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment());
        return builder;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(programs.environment());
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        // A program that outlives its folder for a moment would write its dump somewhere else.
        environment.put("ERL_CRASH_DUMP_BYTES", "0");
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
        // One call does one thing, so a second scheduler only costs its start.
        environment.put("RABBITMQ_CTL_ERL_ARGS", "+S 1:1");
        // By default 11 ports: too few for the calls of several JVMs.
        environment.put("RABBITMQ_CTL_DIST_PORT_MIN", "10000");
        environment.put("RABBITMQ_CTL_DIST_PORT_MAX", "14999");
        // Does not exist: the machine's own file must not be read.
        environment.put("RABBITMQ_CONF_ENV_FILE", folder.resolve("none").toString());
        return environment;
    }
}
