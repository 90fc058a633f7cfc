package dev.postrider.server.dev.broker;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sends messages to a {@link DevBroker}; its acks take as long as the broker says. Thread-safe. */
final class DevPublisher implements MessagePublisher {

    private static final String CLOSED = "The publisher is closed";

    private final DevBroker broker;
    private final ScheduledThreadPoolExecutor network;

    DevPublisher(DevBroker broker) {
        this.broker = broker;
        this.network = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "dev-broker");
            thread.setDaemon(true);
            return thread;
        });
        network.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    // The relay bounds how many messages are under way, and so how many tasks wait here.
    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        for (ClaimedMessage claimed : wave) {
            PublishResult result = broker.accept(claimed);
            Duration latency = broker.latencyOf(claimed.message().topic());
            if (latency.isZero() || result.kind() == PublishResult.Kind.UNAVAILABLE) {
                answers.answer(claimed, result);
            } else {
                later(latency, () -> answers.answer(claimed, arrived(result)), () -> answers.answer(claimed, closed()));
            }
        }
    }

    // The answer travels back through a connection that may have ended in the meantime.
    private PublishResult arrived(PublishResult result) {
        return broker.outage()
                .map(text -> PublishResult.unavailable("The connection was lost before the ack. " + text))
                .orElse(result);
    }

    private void later(Duration latency, Runnable answer, Runnable otherwise) {
        try {
            var unused = network.schedule(answer, latency.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            otherwise.run();
        }
    }

    private static PublishResult closed() {
        return PublishResult.unavailable(CLOSED);
    }

    @Override
    public void close() {
        network.shutdown();
    }
}
