package dev.postrider.safety;

import dev.postrider.spi.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** The directory of the backup files. */
record BackupDirectory(Path path) {

    /** Makes the directory if it is missing. Each new directory survives a crash: its parent is forced too. */
    void make() throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = path.toAbsolutePath(); each != null && Files.notExists(each); each = each.getParent()) {
            missing.push(each);
        }
        Files.createDirectories(path);
        for (Path each : missing) {
            Path parent = each.getParent();
            if (parent != null) {
                force(parent);
            }
        }
    }

    /**
     * Makes the directory and writes a file into it, which is then removed.
     *
     * @throws IllegalArgumentException if the directory cannot be written
     */
    void requireWritable() {
        try {
            make();
            probe();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The backup directory %s cannot be written: %s".formatted(path, ErrorText.of(e)), e);
        }
    }

    private void probe() throws IOException {
        Path probe = path.resolve(".postrider-probe-" + UUID.randomUUID());
        try (FileChannel open = FileChannel.open(probe, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.allocate(1));
            open.force(true);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /** Writes the names of the files in the directory to the disk. */
    void force() throws IOException {
        force(path);
    }

    /** Returns with which attributes files are made: only their owner may read them, where the system has owners. */
    FileAttribute<?>[] ownerOnly() throws IOException {
        return posix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    // The name of a new file is on the disk only with its directory. Not every system lets a directory be opened.
    private static void force(Path directory) throws IOException {
        if (posix(directory)) {
            try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }

    private static boolean posix(Path directory) throws IOException {
        return Files.getFileStore(directory).supportsFileAttributeView("posix");
    }
}
