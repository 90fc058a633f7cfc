package dev.postrider.saga;

/** Contexts that are texts, one of which cannot be stored. */
final class RefusingCodec implements SagaCodec<String> {

    static final String REFUSED = "!";

    @Override
    public String name() {
        return "refusing";
    }

    @Override
    public String encode(String context) {
        if (context.contains(REFUSED)) {
            throw new IllegalStateException("No text for " + context);
        }
        return context;
    }

    @Override
    public String decode(String text) {
        return text;
    }
}
