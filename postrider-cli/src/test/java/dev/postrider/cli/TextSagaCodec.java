package dev.postrider.cli;

import dev.postrider.saga.SagaCodec;

/** Stores a text as it is. */
enum TextSagaCodec implements SagaCodec<String> {
    INSTANCE;

    @Override
    public String encode(String context) {
        return context;
    }

    @Override
    public String decode(String text) {
        return text;
    }
}
