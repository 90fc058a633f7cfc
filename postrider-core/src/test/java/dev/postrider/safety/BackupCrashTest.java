package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the backup has taken survives a crash of the machine, and what it has refused leaves no trace. */
@Tag("R4.6")
@Tag("R4.7")
class BackupCrashTest {

    @TempDir
    Path real;

    private CrashableDisk disk;
    private Path directory;

    @BeforeEach
    void formatDisk() {
        disk = new CrashableDisk(real);
        directory = disk.root().resolve("var").resolve("lib").resolve("backup");
    }

    @Test
    void savedRecordsInNewDirectoriesSurviveACrash() throws IOException {
        try (BackupLog log = log(1_000_000)) {
            log.append(List.of(record(1)));
            log.append(List.of(record(2), record(3)));

            disk.crash();

            assertThat(seqs()).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void recordsInEveryFileOfTheDirectorySurviveACrash() throws IOException {
        try (BackupLog log = log(1_024)) {
            for (int i = 1; i <= 30; i++) {
                log.append(List.of(record(i)));
            }

            disk.crash();

            assertThat(BackupFiles.in(backup())).hasSizeGreaterThan(1);
            assertThat(seqs()).hasSize(30);
        }
    }

    @Test
    void aDirectoryThatTheNetHasMadeSurvivesACrash() throws IOException {
        try (SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            disk.crash();

            assertThat(backup()).isEmptyDirectory();
            assertThat(net.counts().lost()).isZero();
        }
    }

    @Test
    void recordsThatFillTheDiskAreCutOffAgain() throws IOException {
        try (BackupLog log = log(1_000_000)) {
            log.append(List.of(record(1)));
            byte[] good = Files.readAllBytes(onlyFile());
            disk.leaveRoomFor(record(2).remaining() + 5L);

            assertThatThrownBy(() -> log.append(List.of(record(2), record(3))))
                    .isInstanceOf(IOException.class)
                    .hasMessage("No space left on device");

            assertThat(onlyFile()).hasBinaryContent(good);
        }
    }

    @Test
    void recordsThatCannotBeForcedAreCutOffAgain() throws IOException {
        try (BackupLog log = log(1_000_000)) {
            log.append(List.of(record(1)));
            byte[] good = Files.readAllBytes(onlyFile());
            disk.refuseForce(true);

            assertThatThrownBy(() -> log.append(List.of(record(2)))).isInstanceOf(IOException.class);

            assertThat(onlyFile()).hasBinaryContent(good);
            disk.refuseForce(false);
            log.append(List.of(record(3)));
            assertThat(BackupFiles.in(backup())).hasSize(2);
            assertThat(seqs()).containsExactly(1L, 3L);
        }
    }

    @Test
    void aFileThatNeverTookARecordIsRemoved() throws IOException {
        disk.refuseForce(true);
        try (BackupLog log = new BackupLog(disk.root(), DeadMessages.RELAY, 1_000_000, 1_000_000)) {
            assertThatThrownBy(() -> log.append(List.of(record(1)))).isInstanceOf(IOException.class);

            assertThat(real).isEmptyDirectory();
        }
    }

    private BackupLog log(long maxFileBytes) {
        return new BackupLog(directory, DeadMessages.RELAY, maxFileBytes, 1_000_000);
    }

    private static ByteBuffer record(int number) {
        return BackupFormat.record(DeadMessages.least(number), null);
    }

    private Path backup() {
        return real.resolve("var").resolve("lib").resolve("backup");
    }

    private Path onlyFile() {
        assertThat(BackupFiles.in(backup())).hasSize(1);
        return BackupFiles.in(backup()).get(0);
    }

    private List<Long> seqs() {
        List<Long> seqs = new ArrayList<>();
        BackupFiles.in(backup()).forEach(file -> BackupFiles.plain().read(file, dead -> seqs.add(dead.seq())));
        return seqs;
    }
}
