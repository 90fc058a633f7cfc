package dev.postrider.benchmarks.contest.arena;

import java.util.concurrent.CompletableFuture;

/** Where every contender delivers to. It knows what has arrived. Thread-safe. */
public interface Sink extends AutoCloseable {

    /** What has arrived. */
    Arrivals arrivals();

    /** Takes a message and returns when it is delivered: for contenders that call a handler. */
    void take(String key, byte[] payload) throws Exception;

    /** Takes a message and completes when it is delivered: for contenders that can wait for many at once. */
    CompletableFuture<Void> send(String key, byte[] payload);

    @Override
    void close();
}
