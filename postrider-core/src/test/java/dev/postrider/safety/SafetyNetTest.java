package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.alert.Alert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R4.6")
class SafetyNetTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final List<Alert> alerts = new CopyOnWriteArrayList<>();

    @Test
    void theFileIsEnoughIfItCanBeWritten() {
        try (SafetyNet net =
                SafetyNet.builder().backup(directory).alert(alerts::add).build()) {
            net.recorded(2);
            net.save(DeadMessages.least(1));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(saved()).extracting(DeadMessage::seq).containsExactly(1L);
            assertThat(alerts).isEmpty();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(2, 1, 0, 0, 0));
        }
    }

    @Test
    void aMessageIsSavedOnce() {
        try (SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            net.save(DeadMessages.least(1));
            net.awaitQuiet(PATIENCE);
            net.save(DeadMessages.least(1));
            net.awaitQuiet(PATIENCE);

            assertThat(saved()).hasSize(1);
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 1, 0, 0, 0));
        }
    }

    @Test
    void theAlertIsSentIfThereCanBeNoFile() throws IOException {
        Path backup = directory.resolve("backup");
        try (SafetyNet net =
                SafetyNet.builder().backup(backup).alert(alerts::add).build()) {
            Files.delete(backup);
            Files.createFile(backup);
            net.save(DeadMessages.full(1, new byte[] {1}));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(alerts).singleElement().satisfies(alert -> {
                assertThat(alert.severity()).isEqualTo(Alert.Severity.CRITICAL);
                assertThat(alert.details().toString())
                        .contains("00000000-0000-002a", "orders", "OrderPlaced", "broker said no");
            });
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 1, 0));
        }
    }

    @Test
    void theOrderCanBeTheOtherWayRound() {
        try (SafetyNet net = SafetyNet.builder()
                .backup(directory)
                .alert(alert -> {
                    throw new IllegalStateException("no network");
                })
                .alertFirst()
                .build()) {
            net.save(DeadMessages.least(1));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(saved()).hasSize(1);
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 1, 0, 1, 0));
        }
    }

    @Test
    void whatNoLevelTakesIsCountedAsLost() {
        try (SafetyNet net = SafetyNet.builder()
                .alert(alert -> {
                    throw new IllegalStateException("no network");
                })
                .build()) {
            net.save(DeadMessages.least(1));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 0, 1, 1));
        }
    }

    @Test
    void anOverrunNetNeverHoldsUpTheRelay() throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (SafetyNet net = SafetyNet.builder()
                .queueSize(2)
                .alert(alert -> {
                    sending.countDown();
                    await(go);
                })
                .build()) {
            net.save(DeadMessages.least(0));
            sending.await();

            for (int i = 1; i <= 5; i++) {
                net.save(DeadMessages.least(i));
            }

            assertThat(net.counts().lost()).isEqualTo(3);
            go.countDown();
            assertThat(net.awaitQuiet(PATIENCE)).isTrue();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 3, 0, 3));
        }
    }

    @Test
    void anErrorLeavesATraceAndTheNextMessageIsCaught() {
        AtomicInteger sent = new AtomicInteger();
        try (SafetyNet net = SafetyNet.builder()
                .alert(alert -> {
                    if (sent.incrementAndGet() == 1) {
                        throw new AssertionError("out of something");
                    }
                })
                .build()) {
            net.save(DeadMessages.least(1));
            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            net.save(DeadMessages.least(2));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 1, 1));
        }
    }

    @Test
    void errorOfOneLevelLeavesTheMessageToTheNext() {
        try (SafetyNet net = SafetyNet.builder()
                .backup(directory)
                .alert(alert -> {
                    throw new NoClassDefFoundError("com/example/Client");
                })
                .alertFirst()
                .build()) {
            net.save(DeadMessages.least(1));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            assertThat(saved()).hasSize(1);
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 1, 0, 1, 0));
        }
    }

    @Test
    void levelThatLeavesItsThreadInterruptedEndsNothing() {
        try (SafetyNet net = SafetyNet.builder()
                .alert(alert -> Thread.currentThread().interrupt())
                .build()) {
            net.save(DeadMessages.least(1));
            assertThat(net.awaitQuiet(PATIENCE)).isTrue();

            net.save(DeadMessages.least(2));

            assertThat(net.awaitQuiet(PATIENCE)).isTrue();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 2, 0, 0));
            assertThat(net.restarts()).isPositive();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatComesAfterTheEndIsCountedAsLost() {
        SafetyNet net = SafetyNet.builder().backup(directory).build();
        net.close();

        net.save(DeadMessages.least(1));

        assertThat(net.counts().lost()).isEqualTo(1);
    }

    @Test
    void closingWaitsForWhatWasHandedOver() {
        SafetyNet net = SafetyNet.builder().backup(directory).build();
        for (int i = 0; i < 500; i++) {
            net.save(DeadMessages.least(i));
        }

        net.close();

        assertThat(saved()).hasSize(500);
    }

    @Test
    void aNetWithoutALevelIsRefused() {
        assertThatThrownBy(() -> SafetyNet.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("backup directory");
    }

    @Test
    void aBackupDirectoryThatCannotBeWrittenIsRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("in-the-way"));

        for (Path wrong : List.of(file, file.resolve("below"), Path.of("/proc/self/backup"))) {
            assertThatThrownBy(() -> SafetyNet.builder().backup(wrong).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("backup directory", wrong.toString(), "cannot be written");
        }
    }

    @Test
    void aFullDiskUnderTheBackupDirectoryIsNoticedAtTheStart() {
        CrashableDisk disk = new CrashableDisk(directory);
        disk.leaveRoomFor(0);

        assertThatThrownBy(() -> SafetyNet.builder().backup(disk.root()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No space left");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDiskThatForcesNothingIsNoticedAtTheStart() {
        CrashableDisk disk = new CrashableDisk(directory);
        disk.refuseForce(true);

        assertThatThrownBy(() -> SafetyNet.builder().backup(disk.root()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Input/output error");
    }

    @Test
    void theCheckOfTheBackupDirectoryLeavesNothingBehind() {
        Path missing = directory.resolve("a").resolve("b");

        SafetyNet.builder().backup(missing).build().close();

        assertThat(missing).isEmptyDirectory();
    }

    private List<DeadMessage> saved() {
        List<DeadMessage> saved = new ArrayList<>();
        BackupFiles.in(directory).forEach(file -> BackupFiles.plain().read(file, saved::add));
        return saved;
    }
}
