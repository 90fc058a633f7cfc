package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where and how one broker runs: its folder, its ports and the command that starts it there. */
record KafkaLaunch(Path folder, int port, int saslPort, int advertisedPort) {

    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";
    private static final String STARTED = "Kafka Server started";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final String CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAA";

    static Optional<String> obstacle() {
        Path classPath = Artifacts.path("kafka");
        return Files.exists(classPath)
                ? Optional.empty()
                : Optional.of(classPath + " is missing: build the module test-services-kafka with Maven");
    }

    static KafkaLaunch prepare(KafkaOptions options) throws IOException {
        Path folder = Folders.createTemporary();
        Folders.copy(Cache.entry("kafka-" + version(), KafkaLaunch::format), folder.resolve("data"));
        int port = Machine.freePort();
        KafkaLaunch launch = new KafkaLaunch(
                folder, port, Machine.freePort(), options.advertisedPort().orElse(port));
        Map<String, String> settings = launch.settings(Machine.freePort());
        settings.put("auto.create.topics.enable", Boolean.toString(options.autoCreateTopics()));
        settings.putAll(options.settings());
        write(settings, launch.file());
        return launch;
    }

    static Map<String, String> publisherSettings() {
        return Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", LOGIN + "username=\"publisher\" password=\"publisher\";");
    }

    /** Starts the broker with these additional options of the JVM. */
    OwnedProcess run(String... jvmOptions) {
        List<String> command = java();
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("kafka.Kafka", file().toString()));
        return OwnedProcess.start(new ProcessBuilder(command).directory(folder.toFile()), folder, "server.log");
    }

    /** Waits until a broker may be used, which its port does not tell. The log of earlier runs is skipped. */
    static void awaitStarted(OwnedProcess process, int logged) {
        Poll.until(
                () -> {
                    if (!process.alive()) {
                        throw new IllegalStateException(
                                "Kafka ended while starting:%n%s".formatted(process.outputTail()));
                    }
                    return process.output().indexOf(STARTED, logged) >= 0;
                },
                START_TIMEOUT,
                () -> "Kafka did not start within %s:%n%s".formatted(START_TIMEOUT, process.outputTail()));
    }

    private Path file() {
        return folder.resolve("server.properties");
    }

    // Formatted data knows neither ports nor paths, so every broker can start from the same copy.
    private static void format(Path data) throws IOException {
        Path folder = Folders.createTemporary();
        try {
            KafkaLaunch launch = new KafkaLaunch(folder, 1, 2, 1);
            Map<String, String> settings = launch.settings(3);
            settings.put("log.dirs", data.toString());
            write(settings, launch.file());
            List<String> command = java();
            command.addAll(List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID));
            command.addAll(List.of("-c", launch.file().toString()));
            Command.run(command);
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info");
        return command;
    }

    // The name of the broker's own jar, so that another version finds no data of this one.
    static String version() {
        Path jar = Path.of(classPath().split(":", 2)[0]);
        return jar.getFileName().toString().replaceFirst("^kafka_[^-]*-(.*)\\.jar$", "$1");
    }

    static String classPath() {
        try {
            return Files.readString(Artifacts.path("kafka")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read the class path of Kafka", e);
        }
    }

    private static void write(Map<String, String> settings, Path file) throws IOException {
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
    }

    private Map<String, String> settings(int controllerPort) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put("log.dirs", folder.resolve("data").toString());
        addListeners(settings, controllerPort);
        addAuthorizer(settings);
        addOneOfEach(settings);
        // A killed broker can come back as soon as the old one counts as gone, by default after 9 seconds.
        settings.put("broker.session.timeout.ms", "1000");
        settings.put("broker.heartbeat.interval.ms", "200");
        settings.put("controller.quorum.election.timeout.ms", "200");
        settings.put("controller.quorum.fetch.timeout.ms", "400");
        settings.put("controlled.shutdown.enable", "false");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // By default 128 MB, allocated and cleared at the start.
        settings.put("log.cleaner.dedupe.buffer.size", "2097152");
        return settings;
    }

    private void addListeners(Map<String, String> settings, int controllerPort) {
        settings.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,SASL_PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                        .formatted(port, saslPort, controllerPort));
        settings.put(
                "advertised.listeners",
                "PLAINTEXT://127.0.0.1:%d,SASL_PLAINTEXT://127.0.0.1:%d".formatted(advertisedPort, saslPort));
        settings.put(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        // Not PLAINTEXT: through a proxy that is cut the broker would lose itself.
        settings.put("inter.broker.listener.name", "SASL_PLAINTEXT");
    }

    private static void addAuthorizer(Map<String, String> settings) {
        settings.put("sasl.enabled.mechanisms", "PLAIN");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put(
                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                LOGIN + "username=\"broker\" password=\"broker\" user_broker=\"broker\" user_publisher=\"publisher\";");
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:ANONYMOUS;User:broker");
        settings.put("allow.everyone.if.no.acl.found", "true");
    }

    private static void addOneOfEach(Map<String, String> settings) {
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
    }
}
