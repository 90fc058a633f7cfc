package dev.postrider.spring.boot;

import dev.postrider.spring.OutboxHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects what is delivered. */
public class Deliveries {

    private final List<String> payloads = new CopyOnWriteArrayList<>();

    @OutboxHandler("orders")
    void take(String payload) {
        payloads.add(payload);
    }

    public List<String> payloads() {
        return payloads;
    }
}
