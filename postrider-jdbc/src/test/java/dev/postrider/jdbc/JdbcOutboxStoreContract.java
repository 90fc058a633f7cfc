package dev.postrider.jdbc;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.operator.JdbcRelayAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.OutboxStoreContract;
import dev.postrider.testkit.OutboxTransaction;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract on one database; every class has a fresh one and empties it before each test. The pool hands out
 * REPEATABLE READ, from which the store has to go to READ COMMITTED by itself; PostgreSQL 15 and the tests of relays
 * start from READ COMMITTED.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R1.8")
@Tag("R1.9")
@Tag("R1.15")
@Tag("R2.6")
@Tag("R3.2")
@Tag("R3.5")
abstract class JdbcOutboxStoreContract extends OutboxStoreContract {

    private final Kind kind;
    private final String isolation;
    private @Nullable Fixture fixture;

    JdbcOutboxStoreContract(Kind kind, String isolation) {
        this.kind = kind;
        this.isolation = isolation;
    }

    @BeforeAll
    void createDatabase() {
        fixture = Fixture.create(Kinds.require(kind), isolation);
    }

    @BeforeEach
    void empty() {
        fixture().reset();
    }

    @AfterAll
    void dropDatabase() {
        if (fixture != null) {
            fixture.close();
        }
    }

    Fixture fixture() {
        if (fixture == null) {
            throw new IllegalStateException("No database yet");
        }
        return fixture;
    }

    @Override
    public OutboxStore store() {
        return JdbcOutboxStore.builder(fixture().pool()).build();
    }

    @Override
    public OutboxAdmin admin() {
        return JdbcOutboxAdmin.of(fixture().pool());
    }

    @Override
    public RelayAdmin relays() {
        return JdbcRelayAdmin.of(fixture().pool());
    }

    @Override
    public void damage(UUID id) {
        fixture().damage(id);
    }

    @Override
    public void repair(UUID id) {
        fixture().repair(id);
    }

    // The producers keep the database's own isolation: PostgreSQL's answer to a race at REPEATABLE READ is an error.
    @Override
    public OutboxTransaction begin() {
        return JdbcTransaction.begin(fixture().producers(), JdbcOutbox.create());
    }

    @Override
    public Optional<OutboxTransaction> lockRow(UUID id) {
        return Optional.of(JdbcTransaction.locking(fixture().producers(), id));
    }
}
