package dev.postrider.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.KeyRing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetyNetBuilderTest {

    @TempDir
    Path directory;

    private final KeyRing keys = KeyRing.of("k1", new byte[KeyRing.SECRET_BYTES]);

    @Test
    void plainFilesKeepNoSecrets() {
        try (SafetyNet net = SafetyNet.builder().backup(directory).build()) {
            assertThat(net.mayKeepSecrets()).isFalse();
        }
    }

    @Test
    void alertsShowNoPayloadAndMayTakeSecrets() {
        try (SafetyNet net = SafetyNet.builder().alert(alert -> {}).build()) {
            assertThat(net.mayKeepSecrets()).isTrue();
        }
    }

    @Test
    void encryptedFilesKeepSecrets() {
        try (SafetyNet net =
                SafetyNet.builder().backup(directory).encryptWith(keys).build()) {
            assertThat(net.mayKeepSecrets()).isTrue();
        }
    }

    @Test
    void plainFilesKeepSecretsWhenThatIsAllowed() {
        try (SafetyNet net =
                SafetyNet.builder().backup(directory).backupDecryptedPayloads().build()) {
            assertThat(net.mayKeepSecrets()).isTrue();
        }
    }

    @Test
    void keyThatIsTooLongToEncryptWithIsRefused() {
        KeyRing signing = KeyRing.of("k1", new byte[64]);

        assertThatThrownBy(() -> SafetyNet.builder().encryptWith(signing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Key 'k1' must have 32 bytes to encrypt with but has 64");
    }

    @Test
    void smallestLimitsAreTaken() {
        try (SafetyNet net = SafetyNet.builder()
                .maxFileBytes(1024)
                .maxTotalBytes(1024)
                .queueSize(1)
                .backup(directory)
                .build()) {
            assertThat(net.counts().lost()).isZero();
        }
    }

    @Test
    void smallerLimitsAreRefused() {
        assertThatThrownBy(() -> SafetyNet.builder().maxFileBytes(1023))
                .hasMessage("maxFileBytes must be at least 1024 but was 1023");
        assertThatThrownBy(() -> SafetyNet.builder().maxTotalBytes(1023))
                .hasMessage("maxTotalBytes must be at least 1024 but was 1023");
        assertThatThrownBy(() -> SafetyNet.builder().queueSize(0)).hasMessage("queueSize must be at least 1 but was 0");
    }
}
