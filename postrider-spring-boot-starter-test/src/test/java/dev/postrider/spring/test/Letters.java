package dev.postrider.spring.test;

import dev.postrider.spring.OutboxHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Writes a letter for each invoice, except for one that it cannot read. */
@Component
class Letters {

    private final List<String> written = new CopyOnWriteArrayList<>();

    @OutboxHandler("invoices")
    void write(String invoice) {
        if (invoice.startsWith("broken")) {
            throw new IllegalArgumentException("cannot read " + invoice);
        }
        written.add(invoice);
    }

    List<String> written() {
        return written;
    }
}
