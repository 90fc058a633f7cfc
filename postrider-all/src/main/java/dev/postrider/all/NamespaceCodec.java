package dev.postrider.all;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PayloadCodec;

/** Puts the messages of another codec into the namespace of the handle. */
record NamespaceCodec(PayloadCodec codec, String namespace) implements PayloadCodec {

    @Override
    public OutboxMessage.Builder message(String topic, Object value) {
        return codec.message(topic, value).namespace(namespace);
    }

    @Override
    public boolean reads(Class<?> type) {
        return codec.reads(type);
    }

    @Override
    public Object decode(String type, int version, byte[] payload) {
        return codec.decode(type, version, payload);
    }
}
