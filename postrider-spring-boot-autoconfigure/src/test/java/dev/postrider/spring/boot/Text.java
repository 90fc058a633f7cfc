package dev.postrider.spring.boot;

import dev.postrider.saga.SagaCodec;

/** Stores a text as it is. */
final class Text implements SagaCodec<String> {

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
