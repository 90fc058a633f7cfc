package dev.postrider.e2e;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.Answer;
import dev.postrider.saga.Command;
import dev.postrider.saga.CommandHandler;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.LocalStep;
import dev.postrider.saga.OnTimeout;
import dev.postrider.saga.Participant;
import dev.postrider.saga.RequestStep;
import dev.postrider.saga.Saga;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The order saga of three services: orders asks payments and shipping at the same time, and each of them says no to
 * some orders. The context is the name of the order, which ends with its number.
 */
final class OrderSaga {

    static final String REPLIES = "order-replies";
    static final String PAYMENTS = "payments";
    static final String SHIPPING = "shipping";
    static final List<String> TOPICS = List.of(REPLIES, PAYMENTS, SHIPPING);

    static final String ACCEPT = "accept";
    static final String CONFIRM = "confirm";
    static final String NOTIFY = "notify";
    static final String ACT = "act";
    static final String UNDO = "undo ";

    private static final int DECLINED_BY_PAYMENTS = 5;
    private static final int DECLINED_BY_SHIPPING = 7;

    // For ever, as far as this test is concerned: a broker that is away must not turn a saga back.
    private static final RetryPolicy PATIENT =
            RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(1), 1_000);

    private OrderSaga() {}

    static DurableSagaDefinition<String> definition() {
        return Saga.define("place-order", String.class)
                .codec(TextCodec.INSTANCE)
                .step(
                        ACCEPT,
                        action(ACCEPT)
                                .andThen(step -> step.compensate((order, transaction) ->
                                        Ledger.leave(transaction.connection(), order, UNDO + ACCEPT))))
                .durable()
                .parallel(
                        "partners",
                        partners ->
                                partners.request(PAYMENTS, request(PAYMENTS)).request(SHIPPING, request(SHIPPING)))
                .pivot(CONFIRM, action(CONFIRM))
                .retriable(NOTIFY, action(NOTIFY))
                .build();
    }

    private static Consumer<LocalStep<String>> action(String what) {
        return step -> step.action((order, transaction) -> {
            Ledger.leave(transaction.connection(), order, what);
            return order;
        });
    }

    private static Consumer<RequestStep<String>> request(String partner) {
        return step -> step.command(order -> command(partner, ACT, order))
                .onReply("done", (order, reply) -> order)
                .failOnReply("declined")
                .replyWithin(Duration.ofSeconds(15), OnTimeout.RESEND)
                .compensate(order -> command(partner, UNDO + ACT, order))
                .retry(PATIENT)
                .compensationRetry(PATIENT);
    }

    private static Command command(String partner, String type, String order) {
        return Command.to(partner, type).key(order).replyTo(REPLIES).json("{}");
    }

    /** Returns what a partner does about commands; {@code consumer} is its name in its inbox. */
    static Participant participant(String partner, String consumer) {
        CommandHandler act = (command, transaction) -> {
            String order = command.key().orElseThrow();
            if (isDeclined(partner, number(order))) {
                return Answer.refused("declined");
            }
            Ledger.leave(transaction.connection(), order, ACT);
            return Answer.done("done");
        };
        CommandHandler undo = (command, transaction) -> {
            Ledger.leave(transaction.connection(), command.key().orElseThrow(), UNDO + ACT);
            return Answer.done("undone");
        };
        return Participant.builder(consumer)
                .on(ACT, act)
                .compensate(UNDO + ACT, undo)
                .replyTopics(REPLIES)
                .build();
    }

    static String order(int number) {
        return "order-" + number;
    }

    private static int number(String order) {
        return Integer.parseInt(order.substring(order.indexOf('-') + 1));
    }

    static boolean isDeclined(String partner, int number) {
        return number % (partner.equals(PAYMENTS) ? DECLINED_BY_PAYMENTS : DECLINED_BY_SHIPPING) == 0;
    }

    static boolean isDeclined(int number) {
        return isDeclined(PAYMENTS, number) || isDeclined(SHIPPING, number);
    }
}
