package dev.postrider.saga;

import dev.postrider.jdbc.JdbcOutbox;

/** What every run of a saga works with. A saga's context is something else: the data of its steps. */
record EngineParts(SagaStore store, JdbcOutbox outbox, SagaListener listener) {}
