package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.KeyRing;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Dialect;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.testkit.OutboxTransaction;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A database from the enqueue to a broker that takes everything, and somebody who changes rows in between. */
public final class Outlet implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int ALL = 10_000;

    private final Kind kind;
    private final Fixture fixture;
    private final RecordingPublisher broker = new RecordingPublisher();
    private final Set<UUID> heard = ConcurrentHashMap.newKeySet();
    private @Nullable KeyRing signing;
    private @Nullable KeyRing encryption;
    private boolean acceptUnsigned;
    private @Nullable Relay relay;

    private Outlet(Kind kind) {
        this.kind = kind;
        this.fixture = Fixture.create(kind);
    }

    public static Outlet open(Kind kind) {
        return new Outlet(kind);
    }

    public Outlet signed(KeyRing ring) {
        signing = ring;
        return this;
    }

    public Outlet encrypted(KeyRing ring) {
        encryption = ring;
        return this;
    }

    public Outlet acceptUnsigned() {
        acceptUnsigned = true;
        return this;
    }

    public Fixture fixture() {
        return fixture;
    }

    public void enqueue(List<OutboxMessage> messages) {
        JdbcOutbox.Builder outbox = JdbcOutbox.builder();
        if (signing != null) {
            outbox.signWith(signing);
        }
        if (encryption != null) {
            outbox.encryptWith(encryption);
        }
        try (OutboxTransaction transaction = JdbcTransaction.begin(fixture.producers(), outbox.build())) {
            transaction.outbox().enqueueAll(messages);
            transaction.commit();
        }
    }

    public void startRelay() {
        JdbcOutboxStore.Builder store = JdbcOutboxStore.builder(fixture.pool());
        if (signing != null) {
            store.verifyWith(signing);
        }
        if (encryption != null) {
            store.decryptWith(encryption);
        }
        if (acceptUnsigned) {
            store.acceptUnsigned();
        }
        RelayListener listener = new RelayListener() {
            @Override
            public void integrityFailed(ClaimedMessage defective) {
                heard.add(defective.message().id());
            }
        };
        relay = Relay.builder(store.build(), broker)
                .listener(listener)
                .pollInterval(Duration.ofMillis(50))
                .build()
                .start();
    }

    public JdbcOutboxAdmin admin() {
        JdbcOutboxAdmin.Builder admin = JdbcOutboxAdmin.builder(fixture.pool());
        if (signing != null) {
            admin.verifyWith(signing);
        }
        if (encryption != null) {
            admin.decryptWith(encryption);
        }
        return admin.build();
    }

    public JdbcOutboxAdmin adminWithoutKeys() {
        return JdbcOutboxAdmin.of(fixture.pool());
    }

    public List<OutboxMessage> received() {
        return broker.received();
    }

    public Set<UUID> heard() {
        return Set.copyOf(heard);
    }

    public List<UUID> dead() {
        return admin().list(MessageStatus.DEAD, 0, ALL).stream()
                .map(each -> each.message().id())
                .toList();
    }

    public int count(MessageStatus status) {
        return admin().list(status, 0, ALL).size();
    }

    public void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(condition);
    }

    public void assertDead(UUID id, String why) {
        StoredMessage message = admin().find(id).orElseThrow();
        assertThat(message.status()).isEqualTo(MessageStatus.DEAD);
        assertThat(message.lastError()).isEqualTo(why).isEqualTo(message.defect());
        assertThat(message.attempts()).isEqualTo(1);
    }

    /** Changes columns; {@code payload_forged}, {@code payload_long} and {@code hash_forged} stand for bytes. */
    public void tamper(UUID id, String change) {
        fixture.update(
                "update outbox_message set "
                        + change.replace("payload_forged", bytes("7b7d"))
                                .replace("payload_long", bytes("ab".repeat(64)))
                                .replace("hash_forged", bytes("00ff".repeat(16)))
                        + " where id = ?",
                id);
    }

    /** Makes the content hash fit again, as everybody who can write the table can. */
    public void rehash(UUID id) {
        fixture.update("update outbox_message set content_hash = " + ForeignHash.of(kind) + " where id = ?", id);
    }

    public void rename(UUID id, UUID newId) {
        fixture.update("update outbox_message set id = ? where id = ?", newId, id);
    }

    public void swap(String column, UUID one, UUID other) {
        byte[] first = bytes(column, one);
        byte[] second = bytes(column, other);
        fixture.update("update outbox_message set " + column + " = ? where id = ?", second, one);
        fixture.update("update outbox_message set " + column + " = ? where id = ?", first, other);
    }

    public byte[] storedPayload(UUID id) {
        return bytes("payload", id);
    }

    private byte[] bytes(String column, UUID id) {
        try (Connection connection = fixture.producers().getConnection();
                PreparedStatement query =
                        connection.prepareStatement("select " + column + " from outbox_message where id = ?")) {
            query.setObject(1, Dialect.of(connection).id(id));
            try (ResultSet row = query.executeQuery()) {
                assertThat(row.next()).isTrue();
                return row.getBytes(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(column, e);
        }
    }

    private String bytes(String hex) {
        return kind == Kind.POSTGRES_18 ? "decode('%s', 'hex')".formatted(hex) : "x'%s'".formatted(hex);
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.close();
        }
        fixture.close();
    }
}
