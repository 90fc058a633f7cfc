package dev.postrider.benchmarks.spring;

import java.util.List;

/** What the messages say. */
record Order(String id, String customer, long cents, List<String> articles) {

    static Order number(int number) {
        return new Order("order-" + number, "customer-" + number % 100, 12_345, List.of("pencil", "paper", "eraser"));
    }
}
