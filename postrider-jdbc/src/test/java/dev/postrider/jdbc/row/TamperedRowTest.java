package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.Kinds;
import dev.postrider.jdbc.Outlet;
import dev.postrider.jdbc.Secrets;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that somebody with access to the table has changed, on their way through a real relay. */
@Tag("R4.2")
final class TamperedRowTest {

    private static final KeyRing SIGNING = Secrets.ring("sign-1");
    private static final KeyRing ENCRYPTION = Secrets.ring("lock-1");

    /** What somebody does to the row of a message. */
    private record Attack(String name, String change, OutboxMessage message) {

        UUID id() {
            return message.id();
        }
    }

    // The attacker leaves the hash as it was.
    private static final Map<String, String> CONTENT = Map.of(
            "payload", "payload = payload_forged",
            "type", "type = 'Forged'",
            "dedupe key added", "dedupe_key = 'forged'",
            "dedupe key removed", "dedupe_key = null",
            "hash", "content_hash = hash_forged",
            "unreadable headers", "headers = '{\"trace\": 1}'");

    // The attacker computes the hash anew after each of these.
    private static final Map<String, String> SIGNED = Map.ofEntries(
            Map.entry("payload", "payload = payload_forged"),
            Map.entry("type", "type = 'Forged'"),
            Map.entry("dedupe key added", "dedupe_key = 'forged'"),
            Map.entry("dedupe key removed", "dedupe_key = null"),
            Map.entry("namespace", "namespace = 'forged'"),
            Map.entry("topic", "topic = 'forged'"),
            Map.entry("key", "message_key = 'forged'"),
            Map.entry("key removed", "message_key = null"),
            Map.entry("version", "version = 2"),
            Map.entry("tenant", "tenant = 'forged'"),
            Map.entry("tenant removed", "tenant = null"),
            Map.entry("content type", "content_type = 'text/plain'"),
            Map.entry("headers", "headers = '{\"trace\": \"forged\"}'"),
            Map.entry("header added", "headers = '{\"trace\": \"1\", \"more\": \"2\"}'"),
            Map.entry("headers removed", "headers = null"),
            Map.entry("payload key", "payload_key = 'forged'"),
            Map.entry("signature", "mac = hash_forged"),
            Map.entry("signature removed", "mac = null"),
            Map.entry("signing key removed", "mac_key = null"),
            Map.entry("unsigned", "mac = null, mac_key = null"),
            Map.entry("unknown signing key", "mac_key = 'forged'"));

    private static final Map<String, String> ENCRYPTED = Map.ofEntries(
            Map.entry("payload", "payload = payload_forged"),
            Map.entry("long payload", "payload = payload_long"),
            Map.entry("namespace", "namespace = 'forged'"),
            Map.entry("topic", "topic = 'forged'"),
            Map.entry("key", "message_key = 'forged'"),
            Map.entry("type", "type = 'Forged'"),
            Map.entry("version", "version = 2"),
            Map.entry("content type", "content_type = 'text/plain'"),
            Map.entry("lost key", "payload_key = 'lost'"),
            Map.entry("another key", "payload_key = 'lock-2'"));

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theHashCoversDedupeKeyTypeAndPayload(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            List<Attack> tampered = each(CONTENT);
            List<OutboxMessage> sound = messages(20);
            enqueueMixed(outlet, messagesOf(tampered), sound);
            tampered.forEach(attack -> outlet.tamper(attack.id(), attack.change()));

            outlet.startRelay();

            assertOnlySound(outlet, ids(messagesOf(tampered)), sound);
            outlet.assertDead(id(tampered, "unreadable headers"), MessageRows.HEADERS);
            tampered.stream()
                    .filter(attack -> !attack.name().equals("unreadable headers"))
                    .forEach(attack -> outlet.assertDead(attack.id(), SealCheck.HASH));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSignatureCoversEverythingAConsumerSeesAlsoWhenTheHashIsComputedAnew(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind)).signed(SIGNING)) {
            List<Attack> tampered = each(SIGNED);
            List<OutboxMessage> sound = messages(20);
            enqueueMixed(outlet, messagesOf(tampered), sound);
            tampered.forEach(attack -> {
                outlet.tamper(attack.id(), attack.change());
                outlet.rehash(attack.id());
            });

            outlet.startRelay();

            assertOnlySound(outlet, ids(messagesOf(tampered)), sound);
            outlet.assertDead(id(tampered, "unsigned"), SealCheck.UNSIGNED);
            outlet.assertDead(id(tampered, "headers"), SealCheck.SIGNATURE);
            outlet.assertDead(
                    id(tampered, "unknown signing key"), "The row is signed with key 'forged', which is unknown");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aSignatureBelongsToItsRow(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind)).signed(SIGNING)) {
            List<OutboxMessage> swapped = messages(5);
            List<OutboxMessage> sound = messages(5);
            outlet.enqueue(swapped);
            outlet.enqueue(sound);
            outlet.swap("mac", swapped.get(0).id(), swapped.get(1).id());
            outlet.swap("payload", swapped.get(2).id(), swapped.get(3).id());
            UUID renamed = UUID.randomUUID();
            outlet.rename(swapped.get(4).id(), renamed);
            swapped.subList(0, 4).forEach(message -> outlet.rehash(message.id()));

            outlet.startRelay();

            List<UUID> dead = new ArrayList<>(ids(swapped.subList(0, 4)));
            dead.add(renamed);
            assertOnlySound(outlet, dead, sound);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void unsignedRowsPassWhileSigningIsRolledOutAndForgedOnesDoNot(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            List<OutboxMessage> unsigned = messages(3);
            outlet.enqueue(unsigned);
            outlet.signed(SIGNING).acceptUnsigned();
            List<OutboxMessage> signed = messages(3);
            List<OutboxMessage> forged = messages(1);
            outlet.enqueue(signed);
            outlet.enqueue(forged);
            outlet.tamper(forged.get(0).id(), "version = 7");

            outlet.startRelay();

            assertOnlySound(
                    outlet,
                    ids(forged),
                    Stream.concat(unsigned.stream(), signed.stream()).toList());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("S11")
    void anEncryptedPayloadBelongsToItsRow(Kind kind) {
        KeyRing ring = ENCRYPTION.accepting("lock-2", Secrets.secret("lock-2"));
        try (Outlet outlet = Outlet.open(Kinds.require(kind)).encrypted(ring)) {
            List<Attack> tampered = each(ENCRYPTED);
            List<OutboxMessage> swapped = messages(2);
            List<OutboxMessage> sound = messages(20);
            enqueueMixed(outlet, messagesOf(tampered), sound);
            outlet.enqueue(swapped);
            tampered.forEach(attack -> {
                outlet.tamper(attack.id(), attack.change());
                outlet.rehash(attack.id());
            });
            outlet.swap("payload", swapped.get(0).id(), swapped.get(1).id());
            swapped.forEach(message -> outlet.rehash(message.id()));

            outlet.startRelay();

            List<UUID> dead = new ArrayList<>(ids(messagesOf(tampered)));
            dead.addAll(ids(swapped));
            assertOnlySound(outlet, dead, sound);
            outlet.assertDead(swapped.get(0).id(), SealCheck.PAYLOAD);
            outlet.assertDead(id(tampered, "lost key"), "The row is encrypted with key 'lost', which is unknown");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("S11")
    void aPersonSeesADefectInsteadOfAnError(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind)).encrypted(ENCRYPTION)) {
            OutboxMessage message = messages(1).get(0);
            outlet.enqueue(List.of(message));

            StoredMessage withKey = outlet.admin().find(message.id()).orElseThrow();
            StoredMessage withoutKey =
                    outlet.adminWithoutKeys().find(message.id()).orElseThrow();

            assertThat(withKey.defect()).isNull();
            assertThat(withKey.message().payload()).isEqualTo(message.payload());
            assertThat(withoutKey.defect()).contains("lock-1");
            assertThat(withoutKey.message().payload())
                    .hasSize(message.payloadSize() + PayloadCipher.OVERHEAD)
                    .isEqualTo(outlet.storedPayload(message.id()));
            assertThat(outlet.adminWithoutKeys().list(MessageStatus.PENDING, 0, 10))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("S11")
    void keysMayBeRotatedAtAnyTime(Kind kind) {
        try (Outlet outlet = Outlet.open(Kinds.require(kind))) {
            List<OutboxMessage> all = new ArrayList<>();
            KeyRing signing = Secrets.ring("sign-0");
            KeyRing encryption = Secrets.ring("lock-0");
            for (int i = 0; i < 10; i++) {
                outlet.signed(signing).encrypted(encryption);
                List<OutboxMessage> some = messages(100);
                outlet.enqueue(some);
                all.addAll(some);
                signing = Secrets.rotated(signing, "sign-" + (i + 1));
                encryption = Secrets.rotated(encryption, "lock-" + (i + 1));
            }

            outlet.signed(signing).encrypted(encryption).startRelay();

            assertOnlySound(outlet, List.of(), all);
            Map<UUID, byte[]> payloads = new LinkedHashMap<>();
            outlet.received().forEach(message -> payloads.put(message.id(), message.payload()));
            assertThat(all)
                    .allSatisfy(
                            message -> assertThat(payloads.get(message.id())).isEqualTo(message.payload()));
        }
    }

    private static void enqueueMixed(Outlet outlet, Iterable<OutboxMessage> tampered, List<OutboxMessage> sound) {
        List<OutboxMessage> mixed = new ArrayList<>(sound.subList(0, sound.size() / 2));
        tampered.forEach(mixed::add);
        mixed.addAll(sound.subList(sound.size() / 2, sound.size()));
        outlet.enqueue(mixed);
    }

    private static void assertOnlySound(Outlet outlet, List<UUID> tampered, List<OutboxMessage> sound) {
        outlet.await(() -> outlet.count(MessageStatus.DEAD) + outlet.count(MessageStatus.DELIVERED)
                == tampered.size() + sound.size());
        assertThat(outlet.received()).extracting(OutboxMessage::id).containsExactlyInAnyOrderElementsOf(ids(sound));
        assertThat(outlet.dead()).containsExactlyInAnyOrderElementsOf(tampered);
        assertThat(outlet.heard()).containsExactlyInAnyOrderElementsOf(tampered);
    }

    private static List<Attack> each(Map<String, String> changes) {
        return changes.entrySet().stream()
                .map(change -> new Attack(
                        change.getKey(),
                        change.getValue(),
                        message(change.getKey(), change.getKey().contains("removed"))))
                .toList();
    }

    private static List<OutboxMessage> messagesOf(List<Attack> attacks) {
        return attacks.stream().map(Attack::message).toList();
    }

    private static UUID id(List<Attack> attacks, String name) {
        return attacks.stream()
                .filter(attack -> attack.name().equals(name))
                .findAny()
                .orElseThrow()
                .id();
    }

    private static List<OutboxMessage> messages(int count) {
        return Stream.iterate(0, i -> i + 1)
                .limit(count)
                .map(i -> message("sound " + i, i % 2 == 0))
                .toList();
    }

    private static OutboxMessage message(String text, boolean deduped) {
        return OutboxMessage.to("orders", "Größe|geändert")
                .key("key of " + UUID.randomUUID())
                .tenant("acme")
                .dedupeKey(deduped ? "acme/" + UUID.randomUUID() : null)
                .header("trace", "1")
                .payload(("{\"🐎\": \"" + text + "\"}").getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static List<UUID> ids(Iterable<OutboxMessage> messages) {
        List<UUID> ids = new ArrayList<>();
        Consumer<OutboxMessage> add = message -> ids.add(message.id());
        messages.forEach(add);
        return ids;
    }
}
