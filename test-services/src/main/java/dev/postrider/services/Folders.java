package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Copies and deletes whole folders. */
final class Folders {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH = 4L << 30;

    private Folders() {}

    static Path createTemporary() {
        try {
            return Files.createTempDirectory("postrider-").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create a temporary folder", e);
        }
    }

    /**
     * Creates a folder in memory, for data that need not outlive the machine. It is one in the temp folder where memory
     * is short or has no file system.
     */
    static Path createInMemory() {
        try {
            if (Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH) {
                return Files.createTempDirectory(MEMORY, "postrider-").toRealPath();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create a folder in " + MEMORY, e);
        }
        return createTemporary();
    }

    /** Copies with permissions: PostgreSQL refuses a data folder that others may read. */
    static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                return copyOne(folder);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                return copyOne(file);
            }

            private FileVisitResult copyOne(Path path) throws IOException {
                Path copy = target.resolve(source.relativize(path));
                Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static void delete(Path root) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    // Somebody else deleted it first, which is as good.
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                    if (e != null) {
                        throw e;
                    }
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + root, e);
        }
    }
}
