package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.alert.Alert;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the levels of a {@link SafetyNet} do with many messages at once. */
@Tag("R4.6")
class LevelsTest {

    @TempDir
    Path directory;

    private final RecordedDisk disk = new RecordedDisk();
    private final Tally tally = new Tally();
    private final List<Alert> alerts = new ArrayList<>();

    @Test
    void alertNamesTenMessagesAndCountsTheOthers() {
        new AlertLevel(alerts::add, tally).save(dead(12));

        assertThat(alerts)
                .singleElement()
                .satisfies(alert -> assertThat(alert.details())
                        .hasSize(13)
                        .containsEntry("messages", "12")
                        .containsEntry("more", "2 more are named in the log of the relay"));
    }

    @Test
    void alertAboutTenMessagesNamesThemAll() {
        new AlertLevel(alerts::add, tally).save(dead(10));

        assertThat(alerts)
                .singleElement()
                .satisfies(alert -> assertThat(alert.details()).hasSize(12).doesNotContainKey("more"));
    }

    @Test
    void messagesOfOneRelayAreForcedToTheDiskTogether() {
        try (FileLevel level = level()) {
            level.save(dead(1));
            disk.events.clear();

            assertThat(level.save(dead(4))).isEmpty();

            assertThat(disk.events)
                    .filteredOn(event -> event.startsWith("force"))
                    .hasSize(1);
        }
        assertThat(disk.channels).noneMatch(RecordedChannel::isOpen);
    }

    @Test
    void singleMessageThatCannotBeSavedIsTriedOnce() {
        try (FileLevel level = level()) {
            disk.goodWrites = 0;

            assertThat(level.save(dead(1))).hasSize(1);

            assertThat(disk.channels).hasSize(1);
            assertThat(tally.counts().failed()).isEqualTo(1);
        }
    }

    private FileLevel level() {
        return new FileLevel(relay -> new BackupLog(disk.watched(directory), relay, 1_000_000, 1_000_000), null, tally);
    }

    private static List<DeadMessage> dead(int messages) {
        return IntStream.range(0, messages).mapToObj(DeadMessages::least).toList();
    }
}
