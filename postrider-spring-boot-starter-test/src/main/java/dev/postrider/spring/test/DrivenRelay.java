package dev.postrider.spring.test;

import dev.postrider.relay.ManualRelay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Delivers what is due when the test says so, one message after the other. Belongs to one thread. */
final class DrivenRelay {

    private static final int BATCH = 100;
    private static final Duration CLAIM = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private final List<String> failures;
    private final ManualRelay relay;

    DrivenRelay(OutboxStore store, MessagePublisher publisher, List<String> failures) {
        this.store = store;
        this.publisher = publisher;
        this.failures = failures;
        this.relay = new ManualRelay(store, "outbox-probe", RetryPolicy.defaults());
    }

    int deliverAll() {
        int delivered = 0;
        List<ClaimedMessage> claimed = relay.claim(BATCH, CLAIM);
        while (!claimed.isEmpty()) {
            for (ClaimedMessage each : claimed) {
                if (deliver(each)) {
                    delivered++;
                }
            }
            claimed = relay.claim(BATCH, CLAIM);
        }
        return delivered;
    }

    private boolean deliver(ClaimedMessage claimed) {
        PublishResult result = published(claimed);
        if (result.kind() == PublishResult.Kind.ACKED) {
            relay.ack(claimed);
            return true;
        }
        String error = String.valueOf(result.error());
        failures.add("%s: %s".formatted(claimed.message(), error));
        if (result.kind() == PublishResult.Kind.REJECTED) {
            store.settle(List.of(Settlement.dead(claimed, error, false)));
        } else {
            relay.nack(claimed, error);
        }
        return false;
    }

    private PublishResult published(ClaimedMessage claimed) {
        CompletableFuture<PublishResult> answer = new CompletableFuture<>();
        publisher.publish(List.of(claimed), (message, result) -> answer.complete(result));
        try {
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("No answer for %s after %s".formatted(claimed.message(), PATIENCE), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while %s was delivered".formatted(claimed.message()), e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not deliver " + claimed.message(), e);
        }
    }
}
