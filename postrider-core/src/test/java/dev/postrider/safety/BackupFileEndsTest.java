package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@link BackupFiles} reports the shortest files and what stands at their end. */
@Tag("R4.6")
class BackupFileEndsTest {

    @TempDir
    Path directory;

    private final List<DeadMessage> read = new ArrayList<>();

    @Test
    void emptyFileIsNotTorn() throws IOException {
        assertThat(report(ByteBuffer.allocate(0))).isEqualTo(new BackupFiles.Report(0, 0, 0, false, 0));
    }

    @Test
    void fileWithOnlyItsHeaderIsNotTorn() throws IOException {
        assertThat(report(BackupFormat.header())).isEqualTo(new BackupFiles.Report(0, 0, 0, false, 0));
    }

    @Test
    void damagedLastRecordIsATornTail() throws IOException {
        ByteBuffer last = BackupFormat.record(DeadMessages.least(2), null);
        last.put(last.limit() - 1, (byte) 0x55);

        BackupFiles.Report report =
                report(BackupFormat.header(), BackupFormat.record(DeadMessages.least(1), null), last);

        assertThat(report).isEqualTo(new BackupFiles.Report(1, 0, last.limit(), true, 0));
        assertThat(read).hasSize(1);
    }

    @Test
    void recordOfOneByteIsReadLikeAnyOther() throws IOException {
        byte[] body = {9};
        ByteBuffer record = ByteBuffer.allocate(BackupFormat.PREFIX_BYTES + 1)
                .putInt(1)
                .putInt(BackupFormat.crc(body, 0, 1))
                .put(body)
                .flip();

        assertThat(report(BackupFormat.header(), record))
                .isEqualTo(new BackupFiles.Report(0, 0, BackupFormat.PREFIX_BYTES + 1, false, 1));
    }

    private BackupFiles.Report report(ByteBuffer... parts) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(10_000);
        for (ByteBuffer part : parts) {
            whole.put(part.duplicate());
        }
        byte[] bytes = new byte[whole.position()];
        whole.flip().get(bytes);
        return BackupFiles.plain().read(Files.write(directory.resolve("file"), bytes), read::add);
    }
}
