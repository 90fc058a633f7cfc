package dev.postrider.saga;

/** The codec of a saga that never reads its context again: nothing is stored. */
final class NoCodec<C> implements SagaCodec<C> {

    @Override
    public String name() {
        return "none";
    }

    @Override
    public String encode(C context) {
        return "";
    }

    @Override
    public C decode(String text) {
        throw new SagaException("The saga has no codec(..), so its context was not stored");
    }
}
