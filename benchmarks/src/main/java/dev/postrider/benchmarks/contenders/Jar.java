package dev.postrider.benchmarks.contenders;

import java.net.URI;
import java.nio.file.Path;

/** Tells which jar a class comes from: the one version that cannot be out of date. */
final class Jar {

    private Jar() {}

    /** Returns the name of the jar without its ending, such as {@code debezium-embedded-3.6.1.Final}. */
    static String of(Class<?> type) {
        URI location = URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString());
        return String.valueOf(Path.of(location).getFileName()).replaceFirst("\\.jar$", "");
    }
}
