package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PublishResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW_SECRET = "whsec_"
            + Base64.getEncoder().encodeToString("0123456789012345678901234567890".getBytes(StandardCharsets.UTF_8));

    @Test
    void theExampleOfStandardWebhooksIsReproduced() {
        Map<String, String> headers = Signature.with(SECRET)
                .headers(
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330L,
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));

        assertThat(headers)
                .containsEntry("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
                .containsEntry("webhook-timestamp", "1614265330")
                .containsEntry("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void aReceiverWithEitherSecretCanVerifyTheRequest() throws Exception {
        OutboxMessage message = OutboxMessage.to("orders", "Binary")
                .payload(new byte[] {0, (byte) 0xff, '.', '\n'})
                .build();
        try (Receiver receiver = Receiver.responding(200)) {
            HttpPublisherBuilder builder = receiver.publisher().signWith(NEW_SECRET, SECRET);
            builder.clock = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);
            try (HttpPublisher publisher = builder.build()) {
                assertThat(Answers.answer(publisher, message)).isEqualTo(PublishResult.acked());
            }

            Received request = receiver.requests().get(0);
            assertThat(request.header("webhook-id")).isEqualTo(message.id().toString());
            assertThat(request.header("webhook-timestamp")).isEqualTo("1700000000");
            assertThat(request.header("webhook-signature").split(" ", -1))
                    .containsExactly("v1," + expected(NEW_SECRET, request), "v1," + expected(SECRET, request));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "secret", "whsec_", "whsec_c2hvcnQ=", "whsec_***", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
    void aBadSecretIsRefusedAndNotShown(String secret) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Signature.with(SECRET, secret))
                .withMessage("A secret must be whsec_ followed by 24 to 64 bytes in Base64");
    }

    // HMAC written out as RFC 2104 has it, so that nothing of the code under test judges itself.
    private static String expected(String secret, Received request) throws GeneralSecurityException, IOException {
        byte[] key = Arrays.copyOf(Base64.getDecoder().decode(secret.substring("whsec_".length())), 64);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write((request.header("webhook-id") + "." + request.header("webhook-timestamp") + ".")
                .getBytes(StandardCharsets.US_ASCII));
        content.write(request.body().getBytes(StandardCharsets.ISO_8859_1));
        byte[] inner = digest(padded(key, 0x36), content.toByteArray());
        return Base64.getEncoder().encodeToString(digest(padded(key, 0x5c), inner));
    }

    private static byte[] padded(byte[] key, int pad) {
        byte[] padded = new byte[key.length];
        for (int i = 0; i < key.length; i++) {
            padded[i] = (byte) (key[i] ^ pad);
        }
        return padded;
    }

    private static byte[] digest(byte[] first, byte[] second) throws GeneralSecurityException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(first);
        return sha256.digest(second);
    }
}
