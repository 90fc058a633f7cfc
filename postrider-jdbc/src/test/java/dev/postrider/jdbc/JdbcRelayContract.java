package dev.postrider.jdbc;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.operator.JdbcRelayAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.OutboxTransaction;
import dev.postrider.testkit.RelayContract;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** What a relay promises, on one database; every test has a fresh one. */
@Tag("R0.2")
@Tag("R3.3")
abstract class JdbcRelayContract extends RelayContract {

    private final Kind kind;
    private @Nullable Fixture fixture;

    JdbcRelayContract(Kind kind) {
        this.kind = kind;
    }

    @AfterEach
    void dropDatabase() {
        if (fixture != null) {
            fixture.close();
        }
    }

    @Override
    protected OutboxStore store() {
        return JdbcOutboxStore.builder(fixture().pool()).build();
    }

    @Override
    protected OutboxAdmin admin() {
        return JdbcOutboxAdmin.of(fixture().pool());
    }

    @Override
    protected RelayAdmin relays() {
        return JdbcRelayAdmin.of(fixture().pool());
    }

    @Override
    protected OutboxTransaction begin() {
        return JdbcTransaction.begin(fixture().producers(), JdbcOutbox.create());
    }

    @Override
    protected void damage(UUID id) {
        fixture().damage(id);
    }

    @Override
    protected void repair(UUID id) {
        fixture().repair(id);
    }

    private Fixture fixture() {
        if (fixture == null) {
            fixture = Fixture.create(Kinds.require(kind));
        }
        return fixture;
    }
}
