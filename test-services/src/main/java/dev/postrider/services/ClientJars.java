package dev.postrider.services;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Versions of client libraries that are supported beside the one of the class path. Maven has copied them. */
public final class ClientJars {

    private ClientJars() {}

    /** Returns the files of {@code kafka-clients}, {@code amqp-client} or {@code hibernate-core}. */
    public static List<Path> of(String artifact) {
        Path folder = Artifacts.path("clients");
        return Stream.of(Artifacts.value(artifact).split(",", -1))
                .map(version -> folder.resolve(artifact + "-" + version + ".jar"))
                .toList();
    }
}
