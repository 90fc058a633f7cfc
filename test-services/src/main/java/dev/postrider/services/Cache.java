package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Folders that all JVMs of a user share in the temp folder: unpacked binaries and freshly initialised data, which take
 * seconds to make. An entry appears under its name only when it is complete, by an atomic rename.
 */
final class Cache {

    /** Makes an entry in a folder that does not exist yet. */
    @FunctionalInterface
    interface Filler {
        void fill(Path folder) throws IOException;
    }

    private static final Path ROOT =
            Path.of(System.getProperty("java.io.tmpdir"), "postrider-services-" + System.getProperty("user.name"));

    private Cache() {}

    // Synchronized because a file lock only keeps other JVMs out.
    static synchronized Path entry(String key, Filler filler) {
        try {
            Path root = Files.createDirectories(ROOT).toRealPath();
            Path entry = root.resolve(key);
            if (!Files.exists(entry)) {
                fillLocked(root, entry, filler);
            }
            return entry;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare " + key + " in " + ROOT, e);
        }
    }

    private static void fillLocked(Path root, Path entry, Filler filler) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        root.resolve(entry.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!lock.isValid()) {
                throw new IOException("Lost the lock of " + entry);
            }
            if (Files.exists(entry)) {
                return;
            }
            Path unfinished = root.resolve(entry.getFileName() + ".part");
            // A JVM that was killed while it held the lock may have left one.
            if (Files.exists(unfinished)) {
                Folders.delete(unfinished);
            }
            filler.fill(unfinished);
            Files.move(unfinished, entry, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
