package dev.postrider.verification.simulator;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settlement;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Copies messages and what carries them, for mutants that change one thing. */
final class Messages {

    private Messages() {}

    static OutboxMessage.Builder copy(OutboxMessage message) {
        return OutboxMessage.to(message.topic(), message.type())
                .id(message.id())
                .namespace(message.namespace())
                .key(message.key().orElse(null))
                .version(message.version())
                .headers(message.headers())
                .payload(message.payload());
    }

    static FetchedPage with(FetchedPage page, UnaryOperator<List<FetchedRow>> change) {
        return new FetchedPage(change.apply(page.rows()), page.scannedTo(), page.full(), page.seen(), page.holes());
    }

    static FetchedRow with(FetchedRow row, ClaimedMessage claimed) {
        return new FetchedRow(claimed, row.holder());
    }

    static Settlement with(Settlement outcome, ClaimedMessage claimed) {
        return new Settlement(
                claimed,
                outcome.outcome(),
                outcome.delay(),
                outcome.error(),
                outcome.holdsKey(),
                outcome.failure(),
                outcome.took(),
                outcome.holder());
    }

    static Settlement withHold(Settlement outcome, boolean holdsKey) {
        return new Settlement(
                outcome.claimed(),
                outcome.outcome(),
                outcome.delay(),
                outcome.error(),
                holdsKey,
                outcome.failure(),
                outcome.took(),
                outcome.holder());
    }

    static ClaimedMessage with(ClaimedMessage claimed, OutboxMessage message) {
        return with(claimed, claimed.defect(), message);
    }

    static ClaimedMessage withoutDefect(ClaimedMessage claimed) {
        return with(claimed, null, claimed.message());
    }

    static ClaimedMessage with(ClaimedMessage claimed, String relay, int shard, long epoch) {
        return new ClaimedMessage(
                claimed.seq(),
                claimed.token(),
                relay,
                shard,
                epoch,
                claimed.attempt(),
                claimed.held(),
                claimed.lostClaims(),
                claimed.onTrial(),
                claimed.defect(),
                claimed.dueAt(),
                claimed.message());
    }

    private static ClaimedMessage with(ClaimedMessage claimed, @Nullable String defect, OutboxMessage message) {
        return new ClaimedMessage(
                claimed.seq(),
                claimed.token(),
                claimed.claimedBy(),
                claimed.shard(),
                claimed.epoch(),
                claimed.attempt(),
                claimed.held(),
                claimed.lostClaims(),
                claimed.onTrial(),
                defect,
                claimed.dueAt(),
                message);
    }
}
