package dev.postrider.saga;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What never changes about a saga.
 *
 * @param id a UUIDv7
 * @param definition what it is made of
 * @param businessKey of all sagas of a definition, whatever its version, only one has this key; null: no matter how
 *     many
 * @param mode how it runs
 * @param codec the name of the codec that wrote its context
 * @param traceContext the trace that started it
 * @param parent the saga that started it
 */
record SagaHead(
        UUID id,
        SagaVersion definition,
        @Nullable String businessKey,
        SagaMode mode,
        String codec,
        @Nullable String traceContext,
        @Nullable UUID parent) {

    static SagaHead of(UUID id, SagaVersion definition, @Nullable String businessKey, SagaMode mode, String codec) {
        return new SagaHead(id, definition, businessKey, mode, codec, null, null);
    }
}
