package dev.postrider.server.dev;

import dev.postrider.server.dev.broker.JsonShape;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Stands between the relays and a real broker, so that the way to it can be broken and made slow. Thread-safe. */
final class FaultyPublisher implements MessagePublisher {

    private static final String BROKEN = "The way to the broker is broken: restore it in the dev tools";

    private final MessagePublisher broker;
    private final ScheduledThreadPoolExecutor network;
    private volatile boolean broken;
    private volatile Duration latency = Duration.ZERO;

    FaultyPublisher(MessagePublisher broker) {
        this.broker = broker;
        this.network = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "dev-network");
            thread.setDaemon(true);
            return thread;
        });
        network.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void broken(boolean value) {
        broken = value;
    }

    boolean broken() {
        return broken;
    }

    void latency(Duration value) {
        latency = value;
    }

    Duration latency() {
        return latency;
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        if (broken) {
            wave.forEach(claimed -> answers.answer(claimed, PublishResult.unavailable(BROKEN)));
        } else {
            broker.publish(
                    taken(wave, answers), (claimed, result) -> later(() -> answers.answer(claimed, arrived(result))));
        }
    }

    // Real brokers take any bytes; a poison message is refused here as the broker of the process would.
    private static List<ClaimedMessage> taken(List<ClaimedMessage> wave, PublishAnswers answers) {
        List<ClaimedMessage> taken = new ArrayList<>();
        for (ClaimedMessage each : wave) {
            if (JsonShape.fits(each.message())) {
                taken.add(each);
            } else {
                answers.answer(each, PublishResult.rejected("The payload is no complete JSON object"));
            }
        }
        return taken;
    }

    private PublishResult arrived(PublishResult result) {
        return broken ? PublishResult.unavailable(BROKEN) : result;
    }

    // A relay bounds how many messages are under way, and so how many answers wait here.
    private void later(Runnable answer) {
        Duration wait = latency;
        if (wait.isZero()) {
            answer.run();
            return;
        }
        try {
            var unused = network.schedule(answer, wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            answer.run();
        }
    }

    @Override
    public long restarts() {
        return broker.restarts();
    }

    @Override
    public void close() {
        network.shutdown();
        broker.close();
    }
}
