package dev.postrider.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.jackson.Orders.Card;
import dev.postrider.jackson.Orders.Payment;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import dev.postrider.saga.SagaSchema;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contexts of sagas as JSON. */
final class JsonSagaCodecTest {

    record Trip(String id, Instant begun, @Nullable Payment payment) {

        Trip paid() {
            return new Trip(id, begun, new Card(id));
        }
    }

    private static final Trip TRIP = new Trip("42", Instant.parse("2026-02-03T04:05:06.000000007Z"), null);

    private final JsonSagaCodec<Trip> codec = JsonSagaCodec.of(Trip.class);

    @Test
    void contextOfASagaIsStoredAsJsonAndReadByEachStep() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        OutboxSchema.of(dataSource).migrate();
        SagaSchema.of(dataSource).migrate();
        LocalSagaDefinition<Trip> definition = Saga.define("trip", Trip.class)
                .codec(codec)
                .step(
                        "pay",
                        step -> step.action((trip, transaction) -> trip.paid()).compensate((trip, transaction) -> {}))
                .step("ride", step -> step.action((trip, transaction) -> trip).readOnly())
                .build();
        SagaEngine engine = SagaEngine.builder(dataSource).register(definition).build();
        SagaHandle<Trip> started = engine.saga(definition).start("started", TRIP);

        engine.turn();

        assertThat(started.result().orThrow()).isEqualTo(TRIP.paid());
        assertThat(engine.saga(definition).execute("executed", TRIP).orThrow()).isEqualTo(TRIP.paid());
        assertThat(engine.saga(definition).execute("executed", TRIP).orThrow()).isEqualTo(TRIP.paid());
    }

    @Test
    void textHasOneFormAndPropertiesOfANewerReleaseAreIgnored() {
        assertThat(codec.name()).isEqualTo("json");
        assertThat(codec.encode(TRIP.paid())).isEqualTo("""
                {"begun":"2026-02-03T04:05:06.000000007Z","id":"42","payment":{"@type":"Card","number":"42"}}""");
        assertThat(codec.decode(codec.encode(TRIP).replace("{", "{\"newer\":[],")))
                .isEqualTo(TRIP);
    }

    @Test
    void textThatIsNoContextOrTooLargeIsRefused() {
        JsonSagaCodec<Trip> small =
                JsonSagaCodec.of(Trip.class, JsonLimits.defaults().withMaxBytes(50));

        assertThatThrownBy(() -> codec.decode("[]")).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> small.encode(TRIP)).hasMessageContaining("more than the 50 bytes");
        assertThatThrownBy(() -> small.decode(codec.encode(TRIP))).hasMessageContaining("at most 50 are allowed");
        assertThatThrownBy(() -> JsonLimits.defaults().withMaxBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JsonLimits.defaults().withMaxDepth(1_001))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
