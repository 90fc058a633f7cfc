package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that trusts the tokens of an identity provider takes name and role of a caller from their claims. */
final class ServerTokenTest {

    private static final String REQUEUE = "/api/v1/sources/trial/messages/requeue";

    @TempDir
    Path folder;

    @Test
    void aTokenNamesTheCallerAndItsRole() throws IOException {
        KeyPair provider = keys();
        KeyPair stranger = keys();
        Path key = Files.writeString(folder.resolve("provider.pem"), pem(provider));
        try (HttpSink sink = HttpSink.start()) {
            Map<String, String> settings = new LinkedHashMap<>(Map.of(
                    "server.port", "0",
                    "server.address", "127.0.0.1",
                    "postrider.server.oidc.roles-claim", "groups",
                    "spring.security.oauth2.resourceserver.jwt.public-key-location",
                            key.toUri().toString()));
            settings.putAll(ServerSettings.embedded("trial", sink));
            try (PostriderServer server = PostriderServer.start(settings)) {
                HttpCalls http = new HttpCalls(server.port());
                String viewer = bearer(provider, "ada", List.of("viewer", "staff"));

                assertThat(http.get("/api/v1/me", "Authorization", viewer).body())
                        .contains("\"name\":\"ada\"", "\"role\":\"viewer\"", "\"canSignOut\":false");
                assertThat(http.post(REQUEUE, "{}", "Authorization", viewer).statusCode())
                        .isEqualTo(403);
                assertThat(http.post(REQUEUE, "{}", "Authorization", bearer(provider, "bob", List.of("operator")))
                                .statusCode())
                        .isEqualTo(400);
                assertThat(http.get("/api/v1/me", "Authorization", bearer(provider, "eve", List.of("staff")))
                                .statusCode())
                        .isEqualTo(401);
                assertThat(http.get("/api/v1/me", "Authorization", bearer(stranger, "ada", List.of("admin")))
                                .statusCode())
                        .isEqualTo(401);
                assertThat(http.get("/api/v1/me").statusCode()).isEqualTo(401);
            }
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has RSA", e);
        }
    }

    private static String pem(KeyPair keys) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    private static String bearer(KeyPair keys, String name, List<String> groups) {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject("subject of " + name)
                .claim("preferred_username", name)
                .claim("groups", groups)
                .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                .build();
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        try {
            token.sign(new RSASSASigner(keys.getPrivate()));
        } catch (JOSEException e) {
            throw new IllegalStateException("Could not sign a token", e);
        }
        return "Bearer " + token.serialize();
    }
}
