package dev.postrider.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of its own that can be filled up; skips the test where nothing may be mounted. */
final class SmallDisk implements AutoCloseable {

    private final Path root;

    private SmallDisk(Path root) {
        this.root = root;
    }

    /** Mounts a file system with so many KiB on an empty directory. */
    static SmallDisk mount(Path directory, int kibibytes) {
        assumeTrue(
                run(
                        "mount",
                        "-t",
                        "tmpfs",
                        "-o",
                        "mode=0700,size=%dk".formatted(kibibytes),
                        "tmpfs",
                        directory.toString()),
                "Mounting a small file system needs root");
        return new SmallDisk(directory);
    }

    Path root() {
        return root;
    }

    /** Leaves not a byte of room. */
    void fill() {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            // That is what full means.
        }
    }

    /** Makes room again. */
    void free() {
        try {
            Files.delete(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path filler() {
        return root.resolve("filler");
    }

    @Override
    public void close() {
        // Lazily: the server that had files here may just be ending.
        if (!run("umount", "-l", root.toString())) {
            throw new IllegalStateException("Could not unmount " + root);
        }
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(List.of(command)).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
