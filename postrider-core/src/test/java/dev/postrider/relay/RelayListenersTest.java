package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.TopicName;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RelayListenersTest {

    private final List<String> heard = new ArrayList<>();

    static List<Method> everythingAListenerHears() {
        // A tool that measures coverage adds methods of its own.
        return Arrays.stream(RelayListener.class.getDeclaredMethods())
                .filter(Method::isDefault)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("everythingAListenerHears")
    void everyListenerHearsEverythingInItsTurn(Method method) throws ReflectiveOperationException {
        RelayListeners listeners = new RelayListeners(List.of(recorder("first"), recorder("second")));

        method.invoke(
                listeners,
                Arrays.stream(method.getParameterTypes())
                        .map(RelayListenersTest::any)
                        .toArray());

        assertThat(heard).containsExactly("first " + method.getName(), "second " + method.getName());
    }

    @Test
    void aListenerThatThrowsAffectsNeitherTheOthersNorTheRelay() {
        RelayListener broken = new RelayListener() {
            @Override
            public void claimed(int messages) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void claimsLost(int messages) {
                throw new NoClassDefFoundError("com/example/Meter");
            }
        };
        RelayListeners listeners = new RelayListeners(List.of(broken, recorder("second")));

        listeners.claimed(1);
        listeners.claimsLost(1);

        assertThat(heard).containsExactly("second claimed", "second claimsLost");
    }

    @Test
    void aRelayMayHaveNoListener() {
        new RelayListeners(List.of()).claimed(1);

        assertThat(heard).isEmpty();
    }

    private RelayListener recorder(String name) {
        return (RelayListener) Proxy.newProxyInstance(
                RelayListener.class.getClassLoader(), new Class<?>[] {RelayListener.class}, (proxy, method, args) -> {
                    heard.add(name + " " + method.getName());
                    return null;
                });
    }

    private static Object any(Class<?> type) {
        if (type == int.class) {
            return 1;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == Duration.class) {
            return Duration.ofMillis(1);
        }
        if (type == List.class) {
            return List.of();
        }
        if (type == Set.class) {
            return Set.of();
        }
        if (type == TopicName.class) {
            return new TopicName("default", "orders");
        }
        if (type == ClaimedMessage.class) {
            return new ClaimedMessage(
                    1,
                    1,
                    "relay",
                    0,
                    1,
                    false,
                    0,
                    false,
                    "damaged",
                    OutboxMessage.to("orders", "placed").build());
        }
        return type == String.class ? "text" : new IllegalStateException("cause");
    }
}
