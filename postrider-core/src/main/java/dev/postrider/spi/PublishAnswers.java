package dev.postrider.spi;

/**
 * Takes the broker's answers. Thread-safe; answers may come in any order, from any thread, also before publish returns.
 */
@FunctionalInterface
public interface PublishAnswers {

    /** Reports the result for one message. Only the first answer for a message counts; the call never blocks. */
    void answer(ClaimedMessage message, PublishResult result);
}
