package dev.postrider.console.live;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The worst thing that is true of a source now, in one sentence.
 *
 * @param state how bad it is
 * @param code what it is
 * @param sentence for people
 * @param since since when; null if that does not matter or is unknown
 * @param topic the topic it is about, with its namespace; null if it is about all
 */
public record SourceVerdict(
        String state,
        String code,
        String sentence,
        @Nullable Instant since,
        @Nullable String topic) {

    /** How bad a verdict is. */
    enum Mood {
        OK,
        WARN,
        BAD,
        PAUSED;

        SourceVerdict of(String code, String sentence, @Nullable Instant since, @Nullable String topic) {
            return new SourceVerdict(name().toLowerCase(Locale.ROOT), code, sentence, since, topic);
        }
    }
}
