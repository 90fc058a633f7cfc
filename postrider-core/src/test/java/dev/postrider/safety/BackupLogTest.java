package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R4.6")
class BackupLogTest {

    private static final String FIRST = "postrider-dead-relay-0000002a-000001.log";
    private static final int RECORD = record(0).remaining();

    @TempDir
    Path directory;

    private final RecordedDisk disk = new RecordedDisk();

    @Test
    void newFileIsForcedWithItsDirectoryBeforeItsFirstRecord() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            log.append(List.of(record(1)));
        }

        assertThat(disk.events)
                .containsExactly(
                        "write " + FIRST,
                        "force " + FIRST,
                        "force " + directory.getFileName(),
                        "write " + FIRST,
                        "force " + FIRST);
    }

    @Test
    void appendedRecordsAreForcedTogether() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            log.append(List.of(record(1)));
            disk.events.clear();

            log.append(List.of(record(2), record(3)));
        }

        assertThat(disk.events).containsExactly("write " + FIRST, "write " + FIRST, "force " + FIRST);
    }

    @Test
    void failedWriteIsCutOffAndTheNextRecordBeginsAFile() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            log.append(List.of(record(1)));
            disk.goodWrites = 1;

            assertThatThrownBy(() -> log.append(List.of(record(2), record(3)))).hasMessage("no space left");

            assertThat(directory.resolve(FIRST)).hasSize(BackupFormat.HEADER_BYTES + RECORD);
            disk.goodWrites = Integer.MAX_VALUE;
            log.append(List.of(record(4)));
        }
        assertThat(BackupFiles.in(directory)).hasSize(2);
        assertThat(saved()).containsExactly(1L, 4L);
        assertThat(disk.channels).noneMatch(RecordedChannel::isOpen);
    }

    @Test
    void fileWhoseFirstRecordFailedIsDeleted() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            disk.goodWrites = 1;

            assertThatThrownBy(() -> log.append(List.of(record(1)))).hasMessage("no space left");
        }

        assertThat(BackupFiles.in(directory)).isEmpty();
    }

    @Test
    void fileWithOneRecordIsKeptWhenTheSecondFails() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            log.append(List.of(record(1)));
            disk.goodWrites = 0;

            assertThatThrownBy(() -> log.append(List.of(record(2)))).hasMessage("no space left");
        }

        assertThat(saved()).containsExactly(1L);
    }

    @Test
    void failedTruncationIsToldBesideTheFirstFailure() throws IOException {
        try (BackupLog log = log(1_000_000, 1_000_000)) {
            log.append(List.of(record(1)));
            disk.goodWrites = 0;
            disk.truncateFails = true;

            assertThatThrownBy(() -> log.append(List.of(record(2))))
                    .hasMessage("no space left")
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .singleElement()
                            .extracting(Throwable::getMessage)
                            .isEqualTo("cannot truncate"));
        }
    }

    @Test
    void fileIsFilledToItsLastByte() throws IOException {
        try (BackupLog log = log(BackupFormat.HEADER_BYTES + 2L * RECORD, 1_000_000)) {
            log.append(List.of(record(1)));
            log.append(List.of(record(2)));

            assertThat(BackupFiles.in(directory)).hasSize(1);

            log.append(List.of(record(3)));

            assertThat(BackupFiles.in(directory)).hasSize(2);
            assertThat(disk.channels.get(0).isOpen()).isFalse();
        }
    }

    @Test
    void allFilesMayHaveTheLimitToItsLastByte() throws IOException {
        long limit = BackupFormat.HEADER_BYTES + 2L * RECORD;
        try (BackupLog log = log(1_000_000, limit)) {
            log.append(List.of(record(1)));

            assertThatCode(() -> log.append(List.of(record(2)))).doesNotThrowAnyException();
            assertThatThrownBy(() -> log.append(List.of(record(3))))
                    .hasMessage("The backup files have %d bytes and may have %d; move away those that are restored"
                            .formatted(limit, limit));
        }
    }

    @Test
    void closedLogLeavesNoFileOpen() throws IOException {
        BackupLog log = log(1_000_000, 1_000_000);
        log.append(List.of(record(1)));

        log.close();

        assertThat(disk.channels).isNotEmpty().noneMatch(RecordedChannel::isOpen);
    }

    @Test
    void otherFilesInTheDirectoryAreNoBackups() throws IOException {
        Files.createFile(directory.resolve("postrider-dead-relay.tmp"));
        Files.createFile(directory.resolve("other.log"));
        Path backup = Files.createFile(directory.resolve(FIRST));

        assertThat(BackupFiles.in(directory)).containsExactly(backup);
    }

    private BackupLog log(long maxFileBytes, long maxTotalBytes) {
        return new BackupLog(disk.watched(directory), DeadMessages.RELAY, maxFileBytes, maxTotalBytes);
    }

    private List<Long> saved() {
        List<Long> saved = new ArrayList<>();
        BackupFiles.in(directory).forEach(file -> BackupFiles.plain().read(file, dead -> saved.add(dead.seq())));
        return saved;
    }

    private static ByteBuffer record(int number) {
        return BackupFormat.record(DeadMessages.least(number), null);
    }
}
