package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R4.2")
final class KeyRingTest {

    @Test
    void theCurrentKeyWritesAndAllCanBeFound() {
        KeyRing ring = KeyRing.of("2026-10", secret(2)).accepting("2026-09", secret(1));

        assertThat(ring.currentId()).isEqualTo("2026-10");
        assertThat(ring.ids()).containsExactlyInAnyOrder("2026-09", "2026-10");
        assertThat(ring.key("2026-09").orElseThrow().getEncoded()).isEqualTo(secret(1));
        assertThat(ring.key("2026-08")).isEmpty();
    }

    @Test
    void aRingNeverChanges() {
        byte[] secret = secret(1);
        KeyRing ring = KeyRing.of("a", secret);

        ring.accepting("b", secret(2));
        Arrays.fill(secret, (byte) 9);
        Arrays.fill(ring.key("a").orElseThrow().getEncoded(), (byte) 9);

        assertThat(ring.ids()).containsExactly("a");
        assertThat(ring.key("a").orElseThrow().getEncoded()).isEqualTo(secret(1));
    }

    @Test
    void aShortSecretIsRefusedWithoutShowingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRing.of("a", new byte[31]))
                .withMessage("The secret of key 'a' must have at least 32 bytes but has 31");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "-a", "a\n", "ключ", "a'; drop table"})
    void anIdThatCouldNotStandInALogLineIsRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRing.of(id, secret(1)));
    }

    @Test
    void twoKeysNeverShareAnId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRing.of("a", secret(1)).accepting("a", secret(2)))
                .withMessageContaining("'a'");
    }

    @Test
    void theTextShowsNoSecret() {
        assertThat(KeyRing.of("a", secret(0x41)).accepting("b", secret(0x42))).hasToString("KeyRing[current=a of 2]");
    }

    private static byte[] secret(int value) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) value);
        return secret;
    }
}
