package dev.postrider.http;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.concurrent.Future;
import org.apache.hc.core5.concurrent.Cancellable;
import org.jspecify.annotations.Nullable;

/** One message on its way: answered exactly once, and never sent after it was answered. Thread-safe. */
final class HttpDelivery {

    private final ClaimedMessage claimed;
    private final PublishAnswers answers;
    private final long acceptedNanos;
    private Phase phase = Phase.WAITING;
    private @Nullable Cancellable request;
    private @Nullable Future<?> alarm;

    /** How far a message has come. */
    enum Phase {
        /** For one of the requests before it to end. */
        WAITING,
        /** Nothing has been sent: the receiver cannot have acted. */
        CONNECTING,
        /** The receiver may have acted. */
        SENT,
        /** Whatever happens from now on is without meaning. */
        ANSWERED
    }

    HttpDelivery(ClaimedMessage claimed, PublishAnswers answers, long acceptedNanos) {
        this.claimed = claimed;
        this.answers = answers;
        this.acceptedNanos = acceptedNanos;
    }

    ClaimedMessage claimed() {
        return claimed;
    }

    long acceptedNanos() {
        return acceptedNanos;
    }

    /** Takes it out of the queue; false if it was answered there. */
    boolean begin() {
        return advance(Phase.WAITING, Phase.CONNECTING);
    }

    /** The next byte goes to the receiver; false if it must not, because the message was answered. */
    boolean send() {
        return advance(Phase.CONNECTING, Phase.SENT);
    }

    private synchronized boolean advance(Phase from, Phase to) {
        boolean advanced = phase == from;
        phase = advanced ? to : phase;
        return advanced;
    }

    synchronized boolean isAnswered() {
        return phase == Phase.ANSWERED;
    }

    /** Ends it and returns how far it had come; whoever does not get {@link Phase#ANSWERED} has to {@link #tell}. */
    synchronized Phase end() {
        Phase before = phase;
        phase = Phase.ANSWERED;
        return before;
    }

    void tell(PublishResult result) {
        answers.answer(claimed, result);
    }

    /** What {@link #abort} has to stop. */
    synchronized void request(Cancellable started) {
        request = started;
        if (phase == Phase.ANSWERED) {
            started.cancel();
        }
    }

    /** Closes the connection this message is using, if any. */
    void abort() {
        Cancellable started;
        synchronized (this) {
            started = request;
        }
        if (started != null) {
            started.cancel();
        }
    }

    /** Replaces the alarm that is set for this message. */
    synchronized void alarm(@Nullable Future<?> next) {
        if (alarm != null) {
            alarm.cancel(false);
        }
        alarm = next;
    }
}
