package dev.postrider.saga;

import dev.postrider.jdbc.JdbcOutbox;

/** What every run of a saga works with. */
record Workbench(SagaStore store, JdbcOutbox outbox, SagaListener listener) {}
