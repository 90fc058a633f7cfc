package dev.postrider.saga;

import dev.postrider.OutboxMessage;
import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.function.Consumer;

/** Steps that leave an effect and a message, and others that undo it; every effect names the saga it belongs to. */
final class Trip {

    static final RetryPolicy TWICE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 2);

    private Trip() {}

    static LocalSagaBuilder<String> define() {
        return Saga.define("trip", String.class).codec(TextCodec.INSTANCE);
    }

    /** Appends its name to the context; the context begins with the key of the saga and a space. */
    static Consumer<LocalStep<String>> step(String name) {
        return action(name)
                .andThen(step -> step.compensate((context, transaction) -> {
                            World.effect(transaction.connection(), key(context) + " undo " + name);
                            transaction.enqueue(message("undo-" + name));
                        })
                        .compensationRetry(TWICE));
    }

    static Consumer<LocalStep<String>> action(String name) {
        return step -> step.action((context, transaction) -> {
                    World.effect(transaction.connection(), key(context) + " " + name);
                    transaction.enqueue(message(name));
                    return context + name;
                })
                .retry(TWICE);
    }

    /** Leaves an effect, which is rolled back, and fails. */
    static Consumer<LocalStep<String>> failing(String name) {
        return step -> step.action((context, transaction) -> {
                    World.effect(transaction.connection(), key(context) + " " + name);
                    transaction.enqueue(message(name));
                    throw new IllegalStateException("no " + name);
                })
                .compensate((context, transaction) ->
                        World.effect(transaction.connection(), key(context) + " undo " + name))
                .retry(TWICE);
    }

    static Consumer<RequestStep<String>> request(String name) {
        return step -> step.command(
                        context -> Command.to("ask", name).key(key(context)).json("{}"))
                .onReply("yes", (context, reply) -> context + name + reply.text())
                .failOnReply("no")
                .compensate(context -> Command.to("ask", "undo-" + name).key(key(context)))
                .retry(TWICE)
                .compensationRetry(TWICE);
    }

    static OutboxMessage message(String topic) {
        return OutboxMessage.to(topic, "Done").payload("{}").build();
    }

    static String key(String context) {
        return context.substring(0, context.indexOf(' '));
    }
}
