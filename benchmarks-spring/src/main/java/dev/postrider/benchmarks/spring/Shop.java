package dev.postrider.benchmarks.spring;

import dev.postrider.spring.OutboxHandler;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application whose start is measured: a database and one handler. */
@SpringBootApplication
public class Shop {

    private final LongAdder handled = new LongAdder();

    @OutboxHandler("orders")
    void handle(String payload) {
        handled.increment();
    }

    /** Starts, prints the milliseconds since the JVM began, and ends. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
            long begun = ManagementFactory.getRuntimeMXBean().getStartTime();
            System.out.println("started_ms=" + (System.currentTimeMillis() - begun) + " " + context.isRunning());
        }
    }
}
