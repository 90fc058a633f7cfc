package dev.postrider.safety;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to the backup files of one relay. When {@link #append} returns, its records are on the disk. After an
 * error the file is left at its last good record, or given up for a new one. Not thread-safe.
 */
final class BackupLog implements AutoCloseable {

    private static final Set<OpenOption> OPEN = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final BackupDirectory directory;
    private final String relay;
    private final long maxFileBytes;
    private final long maxTotalBytes;
    private @Nullable FileChannel channel;
    private @Nullable Path file;
    private long size;
    private int number;

    BackupLog(Path directory, String relay, long maxFileBytes, long maxTotalBytes) {
        this.directory = new BackupDirectory(directory);
        this.relay = relay;
        this.maxFileBytes = maxFileBytes;
        this.maxTotalBytes = maxTotalBytes;
    }

    /** Writes all records and waits until they are on the disk; if it throws, none of them counts. */
    void append(List<ByteBuffer> records) throws IOException {
        long bytes = records.stream().mapToLong(ByteBuffer::remaining).sum();
        try {
            FileChannel open = room(bytes);
            long end = size;
            for (ByteBuffer record : records) {
                end += record.remaining();
                write(open, record);
            }
            open.force(false);
            size = end;
        } catch (IOException e) {
            giveUp(e);
            throw e;
        }
    }

    private FileChannel room(long bytes) throws IOException {
        FileChannel open = channel;
        if (open != null && size + bytes > maxFileBytes && size > BackupFormat.HEADER_BYTES) {
            close();
            open = null;
        }
        requireRoom(bytes);
        return open == null ? next() : open;
    }

    // Unread data is never deleted to make room.
    private void requireRoom(long bytes) throws IOException {
        long total = 0;
        directory.make();
        for (Path each : BackupFiles.in(directory.path())) {
            total += Files.size(each);
        }
        if (total + bytes > maxTotalBytes) {
            throw new IOException("The backup files have %d bytes and may have %d; move away those that are restored"
                    .formatted(total, maxTotalBytes));
        }
    }

    private FileChannel next() throws IOException {
        while (true) {
            Path path = directory
                    .path()
                    .resolve("%s%s-%06d%s".formatted(BackupFiles.PREFIX, relay, ++number, BackupFiles.SUFFIX));
            try {
                FileChannel open = FileChannel.open(path, OPEN, directory.ownerOnly());
                channel = open;
                file = path;
                size = 0;
                write(open, BackupFormat.header());
                open.force(true);
                directory.force();
                size = BackupFormat.HEADER_BYTES;
                return open;
            } catch (FileAlreadyExistsException e) {
                // A relay with this name has written this file before.
            }
        }
    }

    private static void write(FileChannel open, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            open.write(bytes);
        }
    }

    // After a failed write or force the bytes behind the last good record are unknown.
    private void giveUp(IOException cause) {
        FileChannel open = channel;
        Path path = file;
        if (open == null || path == null) {
            return;
        }
        try {
            if (size <= BackupFormat.HEADER_BYTES) {
                Files.deleteIfExists(path);
            } else {
                open.truncate(size);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        close();
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // All counted records were forced before.
            }
        }
    }
}
