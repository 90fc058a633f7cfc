package dev.postrider.all;

import dev.postrider.saga.SagaCodec;

/** Stores a context that is a text as it is. */
final class PlainText implements SagaCodec<String> {

    static final PlainText INSTANCE = new PlainText();

    private PlainText() {}

    @Override
    public String name() {
        return "text";
    }

    @Override
    public String encode(String context) {
        return context;
    }

    @Override
    public String decode(String text) {
        return text;
    }
}
