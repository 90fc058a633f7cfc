package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.KeyRing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.6")
class BackupCipherTest {

    private static final byte[] SECRET = new byte[KeyRing.SECRET_BYTES];
    private static final byte[] PLAIN = "payload".getBytes(StandardCharsets.US_ASCII);

    /** The length of the id, the id, the nonce and the tag. */
    private static final int SHORTEST = 1 + 2 + 12 + 16;

    private final KeyRing keys = KeyRing.of("k1", SECRET);

    @Test
    void sameRecordIsNeverEncryptedWithTheSameNonce() {
        byte[] first = BackupCipher.encrypt(keys, PLAIN);
        byte[] second = BackupCipher.encrypt(keys, PLAIN);

        assertThat(nonce(first)).isNotEqualTo(nonce(second));
    }

    @Test
    void recordWhoseKeyIdWasChangedCannotBeRead() {
        byte[] stored = BackupCipher.encrypt(keys, PLAIN);
        stored[2] = '2';

        assertThatThrownBy(() -> BackupCipher.decrypt(KeyRing.of("k2", SECRET), stored))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it was changed");
    }

    @Test
    void recordWithoutRoomForItsTagIsTooShort() {
        byte[] stored = BackupCipher.encrypt(keys, PLAIN);

        for (int length = 0; length < SHORTEST; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatThrownBy(() -> BackupCipher.decrypt(keys, cut))
                    .isInstanceOf(IOException.class)
                    .hasMessage("An encrypted record is too short");
        }
    }

    @Test
    void recordWithoutContentIsReadable() throws IOException {
        byte[] stored = BackupCipher.encrypt(keys, new byte[0]);

        assertThat(stored).hasSize(SHORTEST);
        assertThat(BackupCipher.decrypt(keys, stored)).isEmpty();
    }

    @Test
    void negativeLengthOfAnIdIsRefused() {
        byte[] stored = new byte[100];
        stored[0] = -1;

        assertThatThrownBy(() -> BackupCipher.decrypt(keys, stored))
                .isInstanceOf(IOException.class)
                .hasMessage("An encrypted record is too short");
    }

    @Test
    void emptyIdIsAnUnknownKey() {
        assertThatThrownBy(() -> BackupCipher.decrypt(keys, new byte[100]))
                .isInstanceOf(IOException.class)
                .hasMessage("A record is encrypted with a key that is unknown here");
    }

    private static byte[] nonce(byte[] stored) {
        return Arrays.copyOfRange(stored, 1 + 2, 1 + 2 + 12);
    }
}
