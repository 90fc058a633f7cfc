package dev.postrider.safety;

import dev.postrider.KeyRing;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the backup files a {@link SafetyNet} has written. Thread-safe. */
public final class BackupFiles {

    static final String PREFIX = "postrider-dead-";
    static final String SUFFIX = ".log";

    private static final Logger log = LoggerFactory.getLogger(BackupFiles.class);

    private final @Nullable KeyRing keys;

    private BackupFiles(@Nullable KeyRing keys) {
        this.keys = keys;
    }

    /**
     * Counts of a file that was read.
     *
     * @param records how many records were intact
     * @param damaged how many places in the middle of the file could not be read
     * @param skippedBytes how many bytes belong to no intact record
     * @param tornTail whether the file ends in the middle of a record, as a crash or a full disk leaves it
     * @param unreadable how many records are whole but were not handed over: their key is unknown to this reader, they
     *     were changed, or a later version wrote them
     */
    public record Report(long records, long damaged, long skippedBytes, boolean tornTail, long unreadable) {}

    /** Returns a reader of files that are not encrypted. */
    public static BackupFiles plain() {
        return new BackupFiles(null);
    }

    /** Returns a reader of files that are encrypted with a key of this ring, or not at all. */
    public static BackupFiles decryptingWith(KeyRing ring) {
        return new BackupFiles(Objects.requireNonNull(ring, "ring"));
    }

    /** Returns the backup files in a directory, ordered by name. */
    public static List<Path> in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(BackupFiles::isBackup).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not list the backup files", e);
        }
    }

    private static boolean isBackup(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
    }

    /**
     * Passes every intact record to {@code each}, in the order they were written. Records that are torn, damaged or
     * cannot be decrypted are left out and reported.
     *
     * @throws UncheckedIOException if the file cannot be read or is not a backup file
     */
    public Report read(Path file, Consumer<DeadMessage> each) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            return new Reading(in, Files.size(file), each).run();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + file.getFileName(), e);
        }
    }

    private final class Reading {

        private final DataInputStream in;
        private final Consumer<DeadMessage> each;
        private long left;
        private long records;
        private long damaged;
        private long skipped;
        private long unreadable;

        Reading(DataInputStream in, long size, Consumer<DeadMessage> each) {
            this.in = in;
            this.left = size;
            this.each = each;
        }

        Report run() throws IOException {
            if (left < BackupFormat.HEADER_BYTES) {
                return new Report(0, 0, left, left > 0, 0);
            }
            BackupFormat.requireHeader(in.readNBytes(BackupFormat.HEADER_BYTES));
            left -= BackupFormat.HEADER_BYTES;
            while (left >= BackupFormat.PREFIX_BYTES) {
                int length = in.readInt();
                int crc = in.readInt();
                // A file system may leave zeros behind after a crash: no record is empty.
                if (length < 1 || length > left - BackupFormat.PREFIX_BYTES) {
                    break;
                }
                byte[] body = in.readNBytes(length);
                long whole = (long) BackupFormat.PREFIX_BYTES + length;
                left -= whole;
                if (BackupFormat.crc(body, 0, length) == crc) {
                    hand(body, whole);
                } else if (left > 0) {
                    damaged++;
                    skipped += whole;
                } else {
                    left = whole;
                    break;
                }
            }
            return new Report(records, damaged, skipped + left, left > 0, unreadable);
        }

        // An unreadable record must not keep the records behind it from being restored.
        private void hand(byte[] body, long whole) {
            DeadMessage message;
            try {
                message = BackupFormat.message(body, keys);
            } catch (IOException e) {
                log.warn("A record of the backup file cannot be restored: {}", e.getMessage());
                unreadable++;
                skipped += whole;
                return;
            }
            each.accept(message);
            records++;
        }
    }
}
