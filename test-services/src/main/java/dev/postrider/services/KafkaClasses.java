package dev.postrider.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The broker's classes in the format of the JVM's class data sharing. A broker that maps them starts with half of the
 * work, most of which is loading classes.
 */
final class KafkaClasses {

    private static final Duration DUMP_TIMEOUT = Duration.ofMinutes(3);

    private KafkaClasses() {}

    static Path archive() {
        return Cache.entry(
                "kafka-%s-classes-%08x.jsa".formatted(KafkaLaunch.version(), fingerprint()), KafkaClasses::dump);
    }

    // The JVM ignores an archive that another JVM or another class path made.
    private static int fingerprint() {
        return Objects.hash(
                System.getProperty("java.home"), System.getProperty("java.vm.version"), KafkaLaunch.classPath());
    }

    // The JVM writes the archive when it ends in an orderly way: all classes that a start and a stop needed.
    private static void dump(Path file) throws IOException {
        KafkaLaunch launch = KafkaLaunch.prepare(KafkaOptions.defaults());
        OwnedProcess process = launch.run("-XX:ArchiveClassesAtExit=" + file);
        try {
            KafkaLaunch.awaitStarted(process, 0);
            process.signal("TERM");
            // An archive of a JVM that did not end would be incomplete.
            if (process.awaitExit(DUMP_TIMEOUT).isEmpty() || !Files.exists(file)) {
                throw new IOException("Kafka left no archive of its classes:%n%s".formatted(process.outputTail()));
            }
        } finally {
            process.kill();
            Folders.delete(launch.folder());
        }
    }
}
