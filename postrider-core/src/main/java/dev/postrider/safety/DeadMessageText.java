package dev.postrider.safety;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;

/** Names a dead message for the log, without its payload. */
final class DeadMessageText {

    private DeadMessageText() {}

    static String of(DeadMessage dead) {
        return "%s to topic %s of type %s (%s)"
                .formatted(
                        dead.message().id(),
                        ErrorText.clean(TopicName.of(dead.message()).toString()),
                        ErrorText.clean(dead.message().type()),
                        ErrorText.clean(dead.reason()));
    }
}
