package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.KeyRing;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.Secrets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.2")
final class RowKeysTest {

    @Test
    void anEncryptionKeyHasTheLengthOfAnAesKey() {
        KeyRing tooLong = Secrets.ring("a").accepting("b", new byte[33]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcOutbox.builder().encryptWith(tooLong))
                .withMessage("Key 'b' must have 32 bytes to encrypt with but has 33");
        assertThat(JdbcOutbox.builder().signWith(tooLong).build()).isNotNull();
    }

    @Test
    void aKeySignsOrEncryptsButNeverBoth() {
        KeyRing ring = Secrets.ring("a");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcOutbox.builder().signWith(ring).encryptWith(ring))
                .withMessageContaining("'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcOutbox.builder().encryptWith(ring).signWith(ring));
    }
}
