package dev.postrider.spring.boot.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.boot.Contexts;
import dev.postrider.spring.boot.Deliveries;
import dev.postrider.spring.boot.internal.StartStop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;

final class StartStopTest {

    private static final int WEB_SERVER = SmartLifecycle.DEFAULT_PHASE - 2048;

    @Test
    void partsStopAfterTheWebServerAndBeforeTheRelay() {
        Contexts.on(Kind.H2)
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Relay.class);
                    int relay = context.getBean(RelayLifecycle.class).getPhase();

                    assertThat(context.getBeansOfType(StartStop.class).values())
                            .hasSizeGreaterThan(2)
                            .allSatisfy(part -> assertThat(part.getPhase()).isBetween(relay + 1, WEB_SERVER - 1))
                            .allSatisfy(part -> assertThat(part.isRunning()).isTrue());
                });
    }

    @Test
    void partWhoseStartFailsIsStopped() {
        List<String> seen = new ArrayList<>();
        StartStop part = new StartStop(
                () -> {
                    seen.add("start");
                    throw new IllegalStateException("broken");
                },
                () -> seen.add("stop"));

        assertThatThrownBy(part::start).hasMessage("broken");

        assertThat(seen).containsExactly("start", "stop");
        assertThat(part.isRunning()).isFalse();
    }
}
