package dev.postrider.services;

import dev.postrider.services.Database.Kind;
import java.util.Optional;

/** Knows which engine serves which kind. */
final class Hosts {

    private Hosts() {}

    static Optional<String> obstacle(Kind kind) {
        return kind == Kind.H2 ? Optional.empty() : Server.obstacle(engine(kind));
    }

    static Host start(Kind kind, ServerOptions options) {
        return kind == Kind.H2 ? new MemoryHost(options) : Server.start(engine(kind), options);
    }

    private static Engine engine(Kind kind) {
        return switch (kind) {
            case POSTGRES_15 -> new PostgresEngine("postgres-15");
            case POSTGRES_18 -> new PostgresEngine("postgres-18");
            case MARIADB -> new MariaDbEngine();
            case MYSQL -> new MySqlEngine();
            case H2 -> throw new IllegalArgumentException("H2 has no server");
        };
    }
}
