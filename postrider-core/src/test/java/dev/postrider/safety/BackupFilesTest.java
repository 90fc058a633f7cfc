package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.KeyRing;
import dev.postrider.OutboxMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R4.6")
@Tag("R4.7")
class BackupFilesTest {

    private static final long SEED = 20_260_203;

    @TempDir
    Path directory;

    private final List<DeadMessage> read = new ArrayList<>();

    @Test
    void everyFieldComesBackAsItWas() throws IOException {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        List<DeadMessage> written = List.of(DeadMessages.full(1, everyByte), DeadMessages.least(2));
        write(null, written);

        BackupFiles.Report report = BackupFiles.plain().read(onlyFile(), read::add);

        assertThat(report).isEqualTo(new BackupFiles.Report(2, 0, 0, false, 0));
        assertSame(read, written);
    }

    @Test
    void aTailTornAtAnyByteCostsTheLastRecordOnly() throws IOException {
        Random random = new Random(SEED);
        List<DeadMessage> written = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            written.add(DeadMessages.random(i, random));
        }
        write(null, written);
        byte[] whole = Files.readAllBytes(onlyFile());
        int last = BackupFormat.record(written.get(4), null).remaining();

        for (int cut = 1; cut <= last; cut++) {
            read.clear();
            Path torn = directory.resolve("torn");
            Files.write(torn, Arrays.copyOf(whole, whole.length - cut));

            BackupFiles.Report report = BackupFiles.plain().read(torn, read::add);

            assertThat(report).as("cut %d", cut).isEqualTo(new BackupFiles.Report(4, 0, last - cut, cut < last, 0));
            assertSame(read, written.subList(0, 4));
        }
    }

    @Test
    void aFlippedBitIsNoticedWhereverItIs() throws IOException {
        List<DeadMessage> written = List.of(DeadMessages.least(1), DeadMessages.least(2), DeadMessages.least(3));
        write(null, written);
        byte[] whole = Files.readAllBytes(onlyFile());
        int length = BackupFormat.record(written.get(0), null).remaining();

        for (int at = BackupFormat.HEADER_BYTES + length; at < BackupFormat.HEADER_BYTES + 2 * length; at++) {
            read.clear();
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Path file = Files.write(directory.resolve("damaged"), damaged);

            BackupFiles.Report report = BackupFiles.plain().read(file, read::add);

            assertThat(report.skippedBytes()).as("byte %d", at).isPositive();
            assertThat(report.damaged() + (report.tornTail() ? 1 : 0)).isPositive();
            assertSame(read.subList(0, 1), written.subList(0, 1));
            assertThat(read).noneMatch(dead -> dead.seq() == 2);
        }
    }

    @Test
    void damageInTheMiddleCostsOneRecord() throws IOException {
        List<DeadMessage> written = List.of(DeadMessages.least(1), DeadMessages.least(2), DeadMessages.least(3));
        write(null, written);
        byte[] whole = Files.readAllBytes(onlyFile());
        int length = BackupFormat.record(written.get(0), null).remaining();
        whole[BackupFormat.HEADER_BYTES + length + BackupFormat.PREFIX_BYTES + 1] ^= 1;
        Files.write(onlyFile(), whole);

        BackupFiles.Report report = BackupFiles.plain().read(onlyFile(), read::add);

        assertThat(report).isEqualTo(new BackupFiles.Report(2, 1, length, false, 0));
        assertThat(read).extracting(DeadMessage::seq).containsExactly(1L, 3L);
    }

    @Test
    void zerosThatAFileSystemLeftAreNoRecords() throws IOException {
        write(null, List.of(DeadMessages.least(1)));
        Files.write(onlyFile(), new byte[4096], StandardOpenOption.APPEND);

        BackupFiles.Report report = BackupFiles.plain().read(onlyFile(), read::add);

        assertThat(report).isEqualTo(new BackupFiles.Report(1, 0, 4096, true, 0));
    }

    @Test
    void aFileWithoutAWholeHeaderHoldsNothing() throws IOException {
        Path file = Files.write(directory.resolve("short"), new byte[] {'P', 'O'});

        assertThat(BackupFiles.plain().read(file, read::add)).isEqualTo(new BackupFiles.Report(0, 0, 2, true, 0));
    }

    @Test
    void aForeignFileIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("other"), "some other file");

        assertThatThrownBy(() -> BackupFiles.plain().read(file, read::add))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("This is not a backup file of dead messages");
    }

    @Test
    void anEncryptedFileShowsNothingAndOpensWithItsKeyOnly() throws IOException {
        KeyRing keys = KeyRing.of("k1", secret(1));
        DeadMessage secret = DeadMessages.full(1, "top secret".getBytes(StandardCharsets.UTF_8));
        write(keys, List.of(secret));

        BackupFiles.Report report = BackupFiles.decryptingWith(
                        KeyRing.of("k2", secret(2)).accepting("k1", secret(1)))
                .read(onlyFile(), read::add);

        assertThat(Files.readString(onlyFile(), StandardCharsets.ISO_8859_1)).doesNotContain("secret", "orders");
        assertThat(report.records()).isEqualTo(1);
        assertSame(read, List.of(secret));
        long bytes = Files.size(onlyFile()) - BackupFormat.HEADER_BYTES;
        assertThat(BackupFiles.plain().read(onlyFile(), read::add))
                .isEqualTo(new BackupFiles.Report(0, 0, bytes, false, 1));
        assertThat(BackupFiles.decryptingWith(KeyRing.of("k1", secret(3))).read(onlyFile(), read::add))
                .isEqualTo(new BackupFiles.Report(0, 0, bytes, false, 1));
        assertThat(read).hasSize(1);
    }

    @Test
    void aRecordThatCannotBeDecryptedDoesNotHideThoseBehindIt() throws IOException {
        KeyRing keys = KeyRing.of("k1", secret(1));
        List<DeadMessage> dead = List.of(DeadMessages.least(1), DeadMessages.least(2), DeadMessages.least(3));
        int lost;
        try (BackupLog log = new BackupLog(directory, DeadMessages.RELAY, 1_000_000, 1_000_000)) {
            log.append(List.of(BackupFormat.record(dead.get(0), keys)));
            ByteBuffer other = BackupFormat.record(dead.get(1), KeyRing.of("gone", secret(2)));
            lost = other.remaining();
            log.append(List.of(other));
            log.append(List.of(BackupFormat.record(dead.get(2), keys)));
        }

        BackupFiles.Report report = BackupFiles.decryptingWith(keys).read(onlyFile(), read::add);

        assertThat(report).isEqualTo(new BackupFiles.Report(2, 0, lost, false, 1));
        assertThat(read).extracting(DeadMessage::seq).containsExactly(1L, 3L);
    }

    @Test
    void aRecordIsBoundToTheIdOfItsKey() throws IOException {
        KeyRing keys = KeyRing.of("k1", secret(1)).accepting("k2", secret(1));
        ByteBuffer record = BackupFormat.record(DeadMessages.least(1), keys);
        byte[] bytes = new byte[record.remaining()];
        record.get(bytes);
        int id = BackupFormat.PREFIX_BYTES + 2;
        assertThat(new String(bytes, id, 2, StandardCharsets.US_ASCII)).isEqualTo("k1");
        bytes[id + 1] = '2';
        int crc = BackupFormat.crc(bytes, BackupFormat.PREFIX_BYTES, bytes.length - BackupFormat.PREFIX_BYTES);
        try (BackupLog log = new BackupLog(directory, DeadMessages.RELAY, 1_000_000, 1_000_000)) {
            log.append(List.of(ByteBuffer.wrap(bytes).putInt(Integer.BYTES, crc)));
        }

        BackupFiles.Report report = BackupFiles.decryptingWith(keys).read(onlyFile(), read::add);

        assertThat(report).isEqualTo(new BackupFiles.Report(0, 0, bytes.length, false, 1));
        assertThat(read).isEmpty();
    }

    @Test
    void anErrorOfTheCallerEndsTheReading() throws IOException {
        write(null, List.of(DeadMessages.least(1), DeadMessages.least(2)));
        UncheckedIOException error = new UncheckedIOException(new IOException("no room"));

        assertThatThrownBy(() -> BackupFiles.plain().read(onlyFile(), dead -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void filesAreForTheirOwnerOnly() throws IOException {
        write(null, List.of(DeadMessages.least(1)));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile())))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileSystemWithoutOwnersHoldsBackupsToo() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(directory.resolve("disk.zip"), Map.of("create", "true"))) {
            Path inside = zip.getPath("/backup");
            try (BackupLog log = new BackupLog(inside, DeadMessages.RELAY, 1_000_000, 1_000_000)) {
                log.append(List.of(BackupFormat.record(DeadMessages.least(1), null)));
            }

            assertThat(BackupFiles.in(inside)).hasSize(1);
            BackupFiles.plain().read(BackupFiles.in(inside).get(0), read::add);
        }

        assertThat(read).extracting(DeadMessage::seq).containsExactly(1L);
    }

    @Test
    void aFullFileIsFollowedByTheNext() throws IOException {
        try (BackupLog log = new BackupLog(directory, DeadMessages.RELAY, 1_024, 1_000_000)) {
            for (int i = 0; i < 30; i++) {
                log.append(List.of(BackupFormat.record(DeadMessages.least(i), null)));
            }
        }

        List<Path> files = BackupFiles.in(directory);
        files.forEach(file -> BackupFiles.plain().read(file, read::add));

        assertThat(files)
                .hasSizeGreaterThan(1)
                .allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(1_024));
        assertThat(files.get(0).getFileName()).hasToString("postrider-dead-relay-0000002a-000001.log");
        assertThat(read).extracting(DeadMessage::seq).isSorted().hasSize(30);
    }

    @Test
    void anotherRunNeverWritesIntoAnOldFile() throws IOException {
        write(null, List.of(DeadMessages.least(1)));
        write(null, List.of(DeadMessages.least(2)));

        assertThat(BackupFiles.in(directory)).hasSize(2);
    }

    @Test
    void atTheLimitNothingIsWrittenAndNothingDeleted() throws IOException {
        try (BackupLog log = new BackupLog(directory, DeadMessages.RELAY, 1_024, 2_048)) {
            List<ByteBuffer> large = List.of(BackupFormat.record(DeadMessages.full(1, new byte[1_500]), null));
            log.append(large);
            long before = Files.size(onlyFile());

            assertThatThrownBy(() ->
                            log.append(List.of(BackupFormat.record(DeadMessages.full(2, new byte[900]), null))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("may have 2048");

            assertThat(Files.size(onlyFile())).isEqualTo(before);
        }
    }

    private void write(@Nullable KeyRing keys, List<DeadMessage> dead) throws IOException {
        try (BackupLog log = new BackupLog(directory, DeadMessages.RELAY, 1_000_000, 1_000_000)) {
            for (DeadMessage each : dead) {
                log.append(List.of(BackupFormat.record(each, keys)));
            }
        }
    }

    private Path onlyFile() {
        List<Path> files = BackupFiles.in(directory);
        assertThat(files).hasSize(1);
        return files.get(0);
    }

    private static byte[] secret(int seed) {
        byte[] secret = new byte[32];
        new Random(seed).nextBytes(secret);
        return secret;
    }

    private static void assertSame(List<DeadMessage> actual, List<DeadMessage> expected) {
        assertThat(actual)
                .usingRecursiveComparison()
                .withEqualsForType(BackupFilesTest::same, OutboxMessage.class)
                .isEqualTo(expected);
    }

    private static boolean same(OutboxMessage a, OutboxMessage b) {
        return fields(a).equals(fields(b)) && Arrays.equals(a.payload(), b.payload());
    }

    private static List<Object> fields(OutboxMessage message) {
        return List.of(
                message.id(),
                message.namespace(),
                message.topic(),
                message.key(),
                message.type(),
                message.version(),
                message.tenant(),
                message.dedupeKey(),
                message.contentType(),
                message.headers(),
                message.maxAttempts());
    }
}
