package dev.postrider.testpool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What to run and how.
 *
 * @param workers how many JVMs run tests at the same time
 * @param logFolder the folder for the logs of the workers
 * @param classes the simple names of the test classes to run
 * @param rounds how often each class runs
 * @param jvmOptions options of every worker's JVM
 * @param commands shell commands that run beside the tests with low priority, by name
 * @param modules the modules whose tests run
 */
record Options(
        int workers,
        Path logFolder,
        Pattern classes,
        int rounds,
        List<String> jvmOptions,
        Map<String, String> commands,
        List<TestModule> modules) {

    static final String USAGE = """
            usage: TestPool [--workers N] [--build-folder NAME] [--log-folder PATH] [--classes REGEX]
                            [--rounds N] [--jvm OPTION]... [--command NAME=COMMAND]... MODULE...
            """;

    static Options of(String... arguments) {
        int workers = 2 * Runtime.getRuntime().availableProcessors();
        String buildFolder = "target";
        Path logFolder = Path.of("target", "verify");
        Pattern classes = Pattern.compile(".*");
        int rounds = 1;
        List<String> jvmOptions = new ArrayList<>();
        Map<String, String> commands = new LinkedHashMap<>();
        List<String> modules = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("--")) {
                modules.add(argument);
                continue;
            }
            if (++i == arguments.length) {
                throw new IllegalArgumentException(argument + " needs a value");
            }
            String value = arguments[i];
            switch (argument) {
                case "--workers" -> workers = positive(argument, value);
                case "--build-folder" -> buildFolder = value;
                case "--log-folder" -> logFolder = Path.of(value);
                case "--classes" -> classes = Pattern.compile(value);
                case "--rounds" -> rounds = positive(argument, value);
                case "--jvm" -> jvmOptions.add(value);
                case "--command" -> {
                    String[] parts = value.split("=", 2);
                    if (parts.length < 2) {
                        throw new IllegalArgumentException("--command needs NAME=COMMAND but got " + value);
                    }
                    commands.put(parts[0], parts[1]);
                }
                default -> throw new IllegalArgumentException("unknown option " + argument);
            }
        }
        String folder = buildFolder;
        return new Options(
                workers,
                logFolder,
                classes,
                rounds,
                jvmOptions,
                commands,
                modules.stream().map(name -> module(name, folder)).toList());
    }

    private static TestModule module(String name, String buildFolder) {
        Path folder = Path.of(name).toAbsolutePath().normalize();
        return new TestModule(folder, folder.resolve(buildFolder));
    }

    private static int positive(String option, String value) {
        if (!value.matches("[1-9][0-9]{0,2}")) {
            throw new IllegalArgumentException(option + " must be a number from 1 to 999 but was " + value);
        }
        return Integer.parseInt(value);
    }
}
