package dev.postrider.saga;

/** Contexts that are texts. */
final class TextCodec implements SagaCodec<String> {

    static final TextCodec INSTANCE = new TextCodec();

    private TextCodec() {}

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
