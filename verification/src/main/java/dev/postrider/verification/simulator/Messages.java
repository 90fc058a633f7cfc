package dev.postrider.verification.simulator;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import org.jspecify.annotations.Nullable;

/** Copies messages for mutants that change one thing. */
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

    static ClaimedMessage with(ClaimedMessage claimed, OutboxMessage message) {
        return with(claimed, claimed.defect(), message);
    }

    static ClaimedMessage withoutDefect(ClaimedMessage claimed) {
        return with(claimed, null, claimed.message());
    }

    private static ClaimedMessage with(ClaimedMessage claimed, @Nullable String defect, OutboxMessage message) {
        return new ClaimedMessage(
                claimed.seq(),
                claimed.token(),
                claimed.claimedBy(),
                claimed.shard(),
                claimed.attempt(),
                claimed.held(),
                claimed.lostClaims(),
                claimed.onTrial(),
                defect,
                message);
    }
}
