package dev.postrider.server.dev;

import dev.postrider.console.DevTools;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.relay.Relay;
import dev.postrider.server.dev.shop.DemoShop;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** The switches of a {@link DevStand}, for the dev tools of the console. Thread-safe. */
final class DevControl implements DevTools {

    private final DevStand stand;

    DevControl(DevStand stand) {
        this.stand = stand;
    }

    @Override
    public DemoState state() {
        DevLink link = stand.link();
        List<String> relays = stand.running().stream().map(Relay::name).toList();
        return new DemoState(
                new DemoBroker(link.broken(), (int) link.latency().toMillis()),
                stand.shop()
                        .map(shop -> new DemoTraffic(shop.perSecond(), shop.poisonous()))
                        .orElseGet(() -> new DemoTraffic(0, false)),
                relays);
    }

    @Override
    public void breakBroker(boolean broken) {
        stand.link().breakDown(broken);
    }

    @Override
    public void delayBroker(int latencyMillis) {
        stand.link().latency(Duration.ofMillis(latencyMillis));
    }

    @Override
    public void traffic(OptionalInt perSecond) {
        perSecond.ifPresent(shop()::perSecond);
    }

    @Override
    public void poison(boolean wanted) {
        shop().poisonous(wanted);
    }

    @Override
    public void enqueuePoison() {
        if (!shop().poison()) {
            throw new IllegalStateException(
                    "There are so many dead messages that one more would not be noticed:" + " discard or requeue some");
        }
    }

    @Override
    public boolean killRelay(String name) {
        return stand.relays().kill(name);
    }

    @Override
    public String startRelay() {
        return stand.relays()
                .start()
                .orElseThrow(() -> RouteProblem.conflict(
                        "There are %d relays already".formatted(DevRelays.MOST), "Kill one first."));
    }

    private DemoShop shop() {
        return stand.shop()
                .orElseThrow(() -> RouteProblem.conflict("The demo shop does not run", "Start without --no-demo."));
    }
}
