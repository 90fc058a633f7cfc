package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.alert.Alert;
import dev.postrider.safety.SafetyNet;
import dev.postrider.safety.SafetyNetCounts;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.6")
class NetListenerTest {

    private static final ClaimedMessage CLAIMED =
            Turn.claimed(7, OutboxMessage.to("orders", "placed").build());

    private final List<Alert> alerts = new CopyOnWriteArrayList<>();

    @Test
    void deadMessagesThatTheStoreRecordedAreCounted() {
        try (SafetyNet net = SafetyNet.builder().alert(alerts::add).build()) {
            new NetListener(net, "relay-1")
                    .settled(List.of(
                            Settlement.dead(CLAIMED, "no", true),
                            Settlement.delivered(CLAIMED),
                            Settlement.dead(CLAIMED, "no", true)));

            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(2, 0, 0, 0, 0));
        }
    }

    @Test
    void deadMessagesThatTheStoreRefusedAreSaved() {
        try (SafetyNet net = SafetyNet.builder().alert(alerts::add).build()) {
            new NetListener(net, "relay-1")
                    .deadRefused(List.of(Settlement.dead(CLAIMED, "no", true)), new IllegalStateException("full"));

            assertThat(net.awaitQuiet(Duration.ofMinutes(1))).isTrue();
            assertThat(net.counts()).isEqualTo(new SafetyNetCounts(0, 0, 1, 0, 0));
            assertThat(alerts)
                    .singleElement()
                    .satisfies(alert -> assertThat(alert.details().toString())
                            .contains(CLAIMED.message().id().toString(), "orders", "no"));
        }
    }
}
