package dev.postrider.http;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.thread.TimerThread;
import dev.postrider.thread.WorkerPool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each message as one HTTP request to an endpoint, a webhook. The receiver sees the message's id as
 * {@code Idempotency-Key} and acks with a 2xx status. Thread-safe.
 */
public final class HttpPublisher implements MessagePublisher {

    private static final Logger log = LoggerFactory.getLogger(HttpPublisher.class);
    private static final Duration TO_READ_BODY = Duration.ofSeconds(1);
    private static final Duration HOUSEKEEPING = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Endpoint endpoint;
    private final Duration timeout;
    private final Duration longestWait;
    private final LongSupplier nanoTime;
    private final Requests requests;
    private final StatusTable statuses;
    private final Circuit circuit;
    private final Connections connections;
    private final WorkerPool workers;
    private final TimerThread timer = new TimerThread("outbox-http-time");
    private final Set<HttpDelivery> unanswered = ConcurrentHashMap.newKeySet();
    private @Nullable Future<?> housekeeping;

    HttpPublisher(HttpPublisherBuilder builder, AddressGuard guard) {
        this.endpoint = builder.endpoint;
        this.timeout = builder.timeout;
        // What is sent at all has at least half of the time for it.
        this.longestWait = timeout.dividedBy(2);
        this.nanoTime = builder.nanoTime;
        this.requests = new Requests(builder);
        this.statuses =
                new StatusTable(endpoint.toString(), builder.successStatuses, builder.maxRetryAfter, builder.clock);
        this.circuit = new Circuit(endpoint.toString(), builder.circuit, nanoTime, builder.random);
        this.connections = new Connections(builder, new CheckedDns(endpoint, builder.resolver, guard));
        this.workers = new WorkerPool("outbox-http-send", builder.maxConcurrent, IDLE);
    }

    /**
     * Starts configuring a publisher. The endpoint is a URL with a constant host; its path and query may have any of
     * {@code {namespace}}, {@code {topic}}, {@code {type}}, {@code {key}} and {@code {tenant}} in them.
     *
     * @throws IllegalArgumentException if it is not such a URL
     */
    public static HttpPublisherBuilder builder(String endpoint) {
        return new HttpPublisherBuilder(Endpoint.of(endpoint));
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        wave.forEach(claimed -> accept(new HttpDelivery(claimed, answers, nanoTime.getAsLong())));
    }

    private void accept(HttpDelivery delivery) {
        unanswered.add(delivery);
        Optional<PublishResult> refusal = circuit.refusal();
        if (refusal.isPresent()) {
            finish(delivery, phase -> RequestOutcome.unasked(refusal.get()));
            return;
        }
        Runnable work = () -> deliver(delivery);
        try {
            keepHouse();
            setAlarm(delivery, longestWait, () -> {
                workers.remove(work);
                expire(delivery);
            });
            workers.execute(work);
        } catch (RejectedExecutionException e) {
            finish(delivery, phase -> closed());
        }
    }

    private synchronized void keepHouse() {
        if (housekeeping == null) {
            long nanos = HOUSEKEEPING.toNanos();
            housekeeping = timer.scheduleWithFixedDelay(connections::closeIdle, nanos, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void deliver(HttpDelivery delivery) {
        if (!delivery.begin()) {
            return;
        }
        try {
            long spent = nanoTime.getAsLong() - delivery.acceptedNanos();
            setAlarm(delivery, timeout.minusNanos(spent), () -> expire(delivery));
            HttpUriRequestBase request = requests.of(delivery.claimed());
            Optional<PublishResult> refusal = circuit.enter();
            if (refusal.isPresent()) {
                finish(delivery, phase -> RequestOutcome.unasked(refusal.get()));
                return;
            }
            if (delivery.isAnswered()) {
                // Its time ran out before it entered, and a probe must not end without a word.
                circuit.trouble("No time was left to connect to %s".formatted(endpoint));
                return;
            }
            delivery.request(request);
            exchange(delivery, request);
        } catch (IllegalArgumentException e) {
            finish(delivery, phase -> RequestOutcome.unasked(PublishResult.rejected(String.valueOf(e.getMessage()))));
        } catch (Requests.CredentialsException e) {
            finish(
                    delivery,
                    phase -> RequestOutcome.unasked(PublishResult.unavailable(String.valueOf(e.getMessage()))));
        } catch (RejectedExecutionException e) {
            finish(delivery, phase -> closed());
        } catch (Error e) {
            // The message may be what causes it: the attempt counts, and the host is not known to be well.
            finish(delivery, phase -> RequestOutcome.trouble(PublishResult.failed(ErrorText.of(e))));
            throw e;
        }
    }

    private void exchange(HttpDelivery delivery, HttpUriRequestBase request) {
        ClassicHttpResponse response;
        try {
            response = connections.send(request, delivery);
        } catch (IOException | RuntimeException e) {
            finish(delivery, phase -> RequestOutcome.trouble(TransportError.result(endpoint.toString(), phase, e)));
            return;
        }
        RequestOutcome outcome = statuses.outcome(
                response.getCode(), value(response, HttpHeaders.RETRY_AFTER), value(response, HttpHeaders.LOCATION));
        finish(delivery, phase -> outcome);
        try {
            setAlarm(delivery, TO_READ_BODY, delivery::abort);
            Connections.discard(request, response);
        } catch (IOException | RuntimeException e) {
            // The status has decided; a body that breaks off costs no more than the connection.
            log.debug("The body of a response from {} broke off", endpoint, e);
            request.cancel();
        } finally {
            delivery.alarm(null);
        }
    }

    private static @Nullable String value(ClassicHttpResponse response, String name) {
        Header header = response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    private void expire(HttpDelivery delivery) {
        finish(delivery, phase -> switch (phase) {
            case WAITING ->
                RequestOutcome.unasked(PublishResult.unavailable("All connections to %s were busy for %d ms; not sent"
                        .formatted(endpoint, longestWait.toMillis())));
            case CONNECTING ->
                RequestOutcome.trouble(PublishResult.unavailable(
                        "No connection to %s within %d ms".formatted(endpoint, timeout.toMillis())));
            case SENT, ANSWERED ->
                RequestOutcome.trouble(PublishResult.failed(
                        "No answer from %s within %d ms; it may have acted".formatted(endpoint, timeout.toMillis())));
        });
        delivery.abort();
    }

    private void finish(HttpDelivery delivery, Function<HttpDelivery.Phase, RequestOutcome> decision) {
        HttpDelivery.Phase phase = delivery.end();
        if (phase == HttpDelivery.Phase.ANSWERED) {
            return;
        }
        unanswered.remove(delivery);
        delivery.alarm(null);
        RequestOutcome outcome = decision.apply(phase);
        switch (outcome.host()) {
            case WELL -> circuit.well();
            case IN_TROUBLE -> circuit.trouble(String.valueOf(outcome.result().error()));
            case UNKNOWN -> {}
        }
        delivery.tell(outcome.result());
    }

    private void setAlarm(HttpDelivery delivery, Duration in, Runnable task) {
        delivery.alarm(timer.schedule(task, in.toNanos(), TimeUnit.NANOSECONDS));
    }

    private RequestOutcome closed() {
        return RequestOutcome.unasked(PublishResult.unavailable("The publisher to %s is closed".formatted(endpoint)));
    }

    @Override
    public long restarts() {
        return workers.restarts() + timer.restarts();
    }

    /** Closes all connections. What has no answer yet is unavailable, though the receiver may have acted on it. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
        unanswered.forEach(delivery -> {
            finish(delivery, phase -> closed());
            delivery.abort();
        });
        connections.close();
    }

    /** Names scheme, host and port; the path of a webhook is often its password. */
    @Override
    public String toString() {
        return "HttpPublisher[%s]".formatted(endpoint);
    }
}
