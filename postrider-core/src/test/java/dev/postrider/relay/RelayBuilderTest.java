package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

    private static RelayBuilder builder() {
        return UnusedStore.relay();
    }
}
