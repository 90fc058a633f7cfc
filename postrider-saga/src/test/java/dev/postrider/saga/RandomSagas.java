package dev.postrider.saga;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.Random;

/** Definitions of every shape. */
final class RandomSagas {

    private static final RetryPolicy TWICE = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(4), 2);

    private RandomSagas() {}

    static DurableSagaDefinition<String> define(Random random) {
        DurableSagaBuilder<String> saga =
                Saga.define("s", String.class).codec(TextCodec.INSTANCE).durable();
        if (random.nextInt(4) == 0) {
            saga.deadline(Duration.ofSeconds(1 + random.nextInt(20)));
        }
        if (random.nextInt(4) == 0) {
            saga.continueOnCompensationFailure();
        }
        int before = 1 + random.nextInt(5);
        for (int i = 0; i < before; i++) {
            add(saga, random, "b" + i);
        }
        if (random.nextBoolean()) {
            saga.pivot(
                    "p", step -> step.action((context, transaction) -> context).retry(TWICE));
            for (int i = 0; i < random.nextInt(3); i++) {
                saga.retriable(
                        "r" + i,
                        step -> step.action((context, transaction) -> context).retry(TWICE));
            }
        }
        return saga.build();
    }

    private static void add(DurableSagaBuilder<String> saga, Random random, String name) {
        switch (random.nextInt(5)) {
            case 0 ->
                saga.step(
                        name,
                        step -> step.action((context, transaction) -> context)
                                .readOnly()
                                .retry(TWICE));
            case 1 ->
                saga.external(
                        name,
                        step -> step.call((context, call) -> context)
                                .compensate((context, call) -> {})
                                .retry(TWICE)
                                .compensationRetry(TWICE));
            case 2 -> saga.request(name, step -> request(step, random));
            case 3 ->
                saga.parallel(name, group -> {
                    for (int i = 0; i < 2 + random.nextInt(2); i++) {
                        group.request(name + "-" + i, step -> request(step, random));
                    }
                });
            default ->
                saga.step(
                        name,
                        step -> step.action((context, transaction) -> context)
                                .compensate((context, transaction) -> {})
                                .retry(TWICE)
                                .compensationRetry(TWICE));
        }
    }

    private static void request(RequestStep<String> step, Random random) {
        OnTimeout[] then = OnTimeout.values();
        step.command(context -> Command.to("t", "do"))
                .onReply("yes", (context, reply) -> context)
                .compensate(context -> Command.to("t", "undo"))
                .replyWithin(Duration.ofSeconds(10), then[random.nextInt(then.length)])
                .retry(TWICE)
                .compensationRetry(TWICE);
    }
}
