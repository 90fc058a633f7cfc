package dev.postrider.saga;

/** Turns the context of a saga into text and back. Implementations are thread-safe. */
public interface SagaCodec<C> {

    /** Names the format, up to 40 characters; stored beside the text. */
    String name();

    /** Returns the context as text. */
    String encode(C context) throws Exception;

    /** Returns the context that {@code text} says; the text may be from an older release of the application. */
    C decode(String text) throws Exception;
}
