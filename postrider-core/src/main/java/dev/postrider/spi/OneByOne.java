package dev.postrider.spi;

import java.util.List;
import java.util.Objects;

/** Sends the messages of a wave one after the other. Thread-safe. */
final class OneByOne implements MessagePublisher {

    private final MessageSender sender;

    OneByOne(MessageSender sender) {
        this.sender = Objects.requireNonNull(sender, "sender");
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        for (ClaimedMessage claimed : wave) {
            answers.answer(claimed, send(claimed));
        }
    }

    private PublishResult send(ClaimedMessage claimed) {
        if (Thread.currentThread().isInterrupted()) {
            return PublishResult.unavailable("The relay is stopping");
        }
        try {
            sender.send(claimed.message());
            return PublishResult.acked();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return PublishResult.unavailable("The relay interrupted the sender");
        } catch (Exception e) {
            return PublishResult.failed(e);
        }
    }
}
