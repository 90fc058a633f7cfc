package dev.postrider.spring.boot;

import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spring.InboxListener;
import java.nio.charset.StandardCharsets;

/** Writes an invoice for each message it receives, except for bad ones. */
class Receipts {

    private final Invoices invoices;

    Receipts(Invoices invoices) {
        this.invoices = invoices;
    }

    void write(String payload) {
        invoices.insertAndTell(payload);
        if (payload.startsWith("bad")) {
            throw new IllegalStateException("bad message");
        }
    }

    /** Receives from Kafka. */
    static class OfKafka extends Receipts {

        OfKafka(Invoices invoices) {
            super(invoices);
        }

        @InboxListener(topics = "${test.topic}", consumer = "billing")
        void take(String payload, ReceivedMessage message, InboxTransaction transaction) {
            write(payload);
        }
    }

    /** Receives from RabbitMQ. */
    static class OfRabbit extends Receipts {

        OfRabbit(Invoices invoices) {
            super(invoices);
        }

        @InboxListener(queue = "${test.queue}", consumer = "billing")
        void take(byte[] payload) {
            write(new String(payload, StandardCharsets.UTF_8));
        }
    }
}
