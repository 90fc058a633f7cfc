package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postrider.OutboxMessage;
import dev.postrider.TenantPolicy;
import dev.postrider.safety.SafetyNet;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.WakeUp;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RelayBuilderTest {

    @Test
    void aPublisherThatGivesUpAfterNineSecondsHasAsMuchTimeAgainToSayIt() {
        assertThat(builder().publishTimeout).isGreaterThanOrEqualTo(Duration.ofSeconds(18));
    }

    @Test
    @Tag("R1.11")
    void aPollIntervalAboveAThirdOfTheClaimIsRefusedWithTheRule() {
        RelayBuilder builder = builder().claimFor(Duration.ofSeconds(10)).pollInterval(Duration.ofSeconds(4));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("pollInterval PT4S is above claimFor / 3 = PT10S / 3");
    }

    @Test
    void aPublishTimeoutAboveTheClaimIsRefused() {
        RelayBuilder builder = builder().publishTimeout(Duration.ofSeconds(31));

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("publishTimeout PT31S");
    }

    @Test
    @Tag("B1")
    void everyRelayOfOneBuilderHasANameOfItsOwn() {
        RelayBuilder builder = builder().name("orders");

        Relay first = builder.build();
        Relay second = builder.build();

        assertThat(first.name()).startsWith("orders-").isNotEqualTo(second.name());
        assertThat(second.name()).startsWith("orders-");
    }

    @ParameterizedTest
    @EnumSource
    void everyPresetBuilds(Preset preset) {
        assertThat(builder().preset(preset).build().health().state()).isEqualTo(RelayHealth.State.NEW);
    }

    @Test
    void optionsOutOfRangeAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().batchSize(0))
                .withMessageContaining("batchSize must be at least 1 but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().ownFor(Duration.ofMillis(499)))
                .withMessageContaining("PT0.499S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().name("a b"))
                .withMessageContaining("'a b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().quarantineAfter(1))
                .withMessageContaining("quarantineAfter");
    }

    @Test
    void aRelayThatNeverRanCannotBePausedAndClosesQuietly() {
        Relay relay = builder().build();

        assertThatIllegalStateException().isThrownBy(relay::pause).withMessageContaining("NEW");
        relay.close();
        assertThatIllegalStateException().isThrownBy(relay::start).withMessageContaining("build a new one");
    }

    @Test
    void twoRelaysOfOneNameAreToldApart() {
        assertThat(builder().name("orders").build().name())
                .startsWith("orders-")
                .isNotEqualTo(builder().name("orders").build().name());
    }

    @Test
    void optionsAreTakenUpToTheirLimits() {
        RelayBuilder builder = builder()
                .keyPolicy(new TopicName("default", "orders"), KeyPolicy.PARK_AND_CONTINUE)
                .prefetchBytes(1)
                .prefetchMessages(1)
                .batchSize(1)
                .activeRelays(1)
                .quarantineAfter(2)
                .ownFor(Duration.ofMillis(500))
                .claimFor(Duration.ofSeconds(3))
                .pollInterval(Duration.ofSeconds(1))
                .publishTimeout(Duration.ofSeconds(3))
                .wakeUp(new NoWakeUp())
                .stopTimeout(Duration.ofNanos(1));

        RelayConfig config = new RelayConfig(builder);

        assertThat(builder.build().health().state()).isEqualTo(RelayHealth.State.NEW);
        assertThat(config.prefetchBytes).isEqualTo(1);
        assertThat(config.activeRelays).isEqualTo(1);
        assertThat(config.blocksKey(claimed("orders", 0))).isFalse();
        assertThat(config.blocksKey(claimed("bills", 0))).isTrue();
    }

    @Test
    void messageIsSuspectedTheMoreTheOftenerItWasLost() {
        RelayConfig two = new RelayConfig(builder().quarantineAfter(2));
        RelayConfig four = new RelayConfig(builder().quarantineAfter(4));

        assertThat(IntStream.rangeClosed(0, 2).mapToObj(lost -> two.suspicion(claimed("orders", lost))))
                .containsExactly(Suspicion.NONE, Suspicion.ALONE, Suspicion.ALONE);
        assertThat(IntStream.rangeClosed(0, 4).mapToObj(lost -> four.suspicion(claimed("orders", lost))))
                .containsExactly(Suspicion.NONE, Suspicion.NONE, Suspicion.GROUP, Suspicion.ALONE, Suspicion.ALONE);
    }

    @Test
    void safetyNetThatWouldWriteDecryptedPayloadsIsRefused(@TempDir Path directory) {
        try (SafetyNet plain = SafetyNet.builder().backup(directory).build();
                SafetyNet allowed = SafetyNet.builder()
                        .backup(directory)
                        .backupDecryptedPayloads()
                        .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decrypting(true).safetyNet(plain).build())
                    .withMessageContaining("encryptWith");

            assertThat(decrypting(true).safetyNet(allowed).build()).isNotNull();
            assertThat(decrypting(false).safetyNet(plain).build()).isNotNull();
        }
    }

    @Test
    void presetsAreFoundByTheirNames() {
        assertThat(Preset.named("kafka-orders")).isEqualTo(Preset.KAFKA_ORDERS);
        assertThat(Preset.LEASE.presetName()).isEqualTo("lease");
        assertThat(Preset.LEASE.tenantPolicy()).isEqualTo(TenantPolicy.DEDUPE_KEY_BEGINS_WITH_TENANT);
        assertThat(Preset.SAGA.tenantPolicy()).isEqualTo(TenantPolicy.ANY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Preset.named("kafka"))
                .withMessageContaining("there are saga, lease, domain-events, kafka-orders, safety-net");
    }

    private static ClaimedMessage claimed(String topic, int lostClaims) {
        OutboxMessage message = OutboxMessage.to(topic, "placed").key("a").build();
        return Turn.claimed(1, message, null, lostClaims);
    }

    private static RelayBuilder decrypting(boolean decrypts) {
        OutboxStore store = (OutboxStore) Proxy.newProxyInstance(
                RelayBuilderTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> decrypts);
        return Relay.builder(store, (wave, answers) -> {});
    }

    private static final class NoWakeUp implements WakeUp {

        @Override
        public void signal() {}

        @Override
        public boolean await(Duration timeout) {
            return false;
        }

        @Override
        public void close() {}
    }

    private static RelayBuilder builder() {
        return UnusedStore.relay();
    }
}
