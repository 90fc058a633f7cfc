package dev.postrider.saga.testkit;

import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.saga.Command;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.ExternalCall;
import dev.postrider.saga.ExternalStep;
import dev.postrider.saga.LocalStep;
import dev.postrider.saga.OnTimeout;
import dev.postrider.saga.RequestStep;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaCodec;
import dev.postrider.saga.StepTransaction;
import dev.postrider.saga.testkit.Shop.Order;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** An order with local steps, an external one and a request, right or with a bug. */
record MixedOrder(Shop shop, Bank bank, Bug bug) {

    DurableSagaDefinition<Order> define() {
        return Saga.define("mixed-order", Order.class)
                .codec(bug == Bug.LOSSY_CODEC ? new LossyCodec() : new Shop.Codec())
                .deadline(Duration.ofHours(2))
                .step("reserve", this::reserve)
                .external("charge", this::charge)
                .request("ship", MixedOrder::ship)
                .pivot(
                        "confirm",
                        step -> step.action((order, transaction) -> {
                            transaction.enqueue(Shop.message("Confirmed"));
                            return order;
                        }))
                .build();
    }

    private void reserve(LocalStep<Order> step) {
        step.action(this::reserve).compensate((order, transaction) -> {
            if (bug != Bug.FORGETFUL_COMPENSATION) {
                Shop.erase(transaction.connection(), order, "reserved");
            }
        });
    }

    private Order reserve(Order order, StepTransaction transaction) throws SQLException {
        switch (bug) {
            case OWN_CONNECTION -> shop.noteElsewhere(order, "reserved");
            case ONLY_THE_FIRST_ATTEMPT -> {
                if (transaction.attempt() == 1) {
                    Shop.note(transaction.connection(), order, "reserved");
                }
            }
            case SWALLOWED_ERROR -> noteIfPossible(order, transaction);
            default -> Shop.note(transaction.connection(), order, "reserved");
        }
        if (bug == Bug.MESSAGE_ELSEWHERE) {
            try (Connection connection = shop.pool().getConnection()) {
                connection.setAutoCommit(false);
                JdbcOutbox.create().enqueue(connection, Shop.message("Reserved"));
                connection.commit();
                connection.setAutoCommit(true);
            }
        } else {
            transaction.enqueue(Shop.message("Reserved"));
        }
        return order.with("r");
    }

    private static void noteIfPossible(Order order, StepTransaction transaction) {
        try {
            Shop.note(transaction.connection(), order, "reserved");
        } catch (SQLException expected) {
            // the bug: nobody hears of it
        }
    }

    private void charge(ExternalStep<Order> step) {
        step.call((order, call) -> {
                    boolean keyless = bug == Bug.NO_IDEMPOTENCY_KEY;
                    bank.charge(order.id(), keyless ? UUID.randomUUID().toString() : call.idempotencyKey());
                    return order.with("c");
                })
                .compensate(this::refund);
    }

    private void refund(Order order, ExternalCall call) {
        if (bug == Bug.REFUND_TWICE) {
            bank.payOut(order.id());
            return;
        }
        if (bug == Bug.REFUND_OF_NOTHING && !bank.hasCharged(order.id(), call.idempotencyKey())) {
            throw new IllegalStateException("There is nothing to refund");
        }
        if (bug == Bug.LATE_CHARGE) {
            bank.refundAndForget(order.id(), call.idempotencyKey());
        } else {
            bank.refund(order.id(), call.idempotencyKey());
        }
    }

    private static void ship(RequestStep<Order> step) {
        step.command(order -> Command.to("shipping", "Ship").key(order.id()))
                .onReply("Shipped", (order, reply) -> order.with(reply.text()))
                .failOnReply("NotShipped")
                .replyWithin(Duration.ofMinutes(5), OnTimeout.RESEND)
                .compensate(order -> Command.to("shipping", "Unship").key(order.id()));
    }

    /** Forgets what the steps have found out. */
    private static final class LossyCodec implements SagaCodec<Order> {

        @Override
        public String name() {
            return "lossy";
        }

        @Override
        public String encode(Order order) {
            return order.id();
        }

        @Override
        public Order decode(String text) {
            return new Order(text, "");
        }
    }
}
