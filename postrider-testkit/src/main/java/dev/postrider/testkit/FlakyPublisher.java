package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A broker that misbehaves as it is told, message by message, and otherwise passes everything on to a
 * {@link RecordingPublisher}. What is told twice happens one after the other. Thread-safe.
 */
public final class FlakyPublisher implements MessagePublisher {

    private enum Trouble {
        FAIL,
        REJECT,
        UNAVAILABLE,
        DROP_ANSWER,
        ANSWER_TWICE,
        ACK_THEN_THROW
    }

    private final RecordingPublisher broker;
    private final Deque<Trouble> script = new ArrayDeque<>();
    private final Map<Predicate<OutboxMessage>, PublishResult> always = new LinkedHashMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holding;

    /** Delivers to {@code broker} whatever is not in trouble. */
    public FlakyPublisher(RecordingPublisher broker) {
        this.broker = broker;
    }

    /** Delivers to a broker of its own. */
    public FlakyPublisher() {
        this(new RecordingPublisher());
    }

    /** The broker behind this publisher: what has really arrived. */
    public RecordingPublisher broker() {
        return broker;
    }

    /** Answers failed for the next messages; the broker does not get them. */
    public FlakyPublisher failNext(int messages) {
        return next(messages, Trouble.FAIL);
    }

    /** Answers rejected for the next messages; the broker does not get them. */
    public FlakyPublisher rejectNext(int messages) {
        return next(messages, Trouble.REJECT);
    }

    /** Answers unavailable for the next messages; the broker does not get them. */
    public FlakyPublisher unavailableNext(int messages) {
        return next(messages, Trouble.UNAVAILABLE);
    }

    /** Never answers for the next messages, although the broker gets them. */
    public FlakyPublisher dropAnswers(int messages) {
        return next(messages, Trouble.DROP_ANSWER);
    }

    /** Answers acked and then failed for the next messages; the broker gets them once. */
    public FlakyPublisher answerTwice(int messages) {
        return next(messages, Trouble.ANSWER_TWICE);
    }

    /** Answers acked for the next message and then throws, without a word about the rest of its wave. */
    public FlakyPublisher ackThenThrow() {
        return next(1, Trouble.ACK_THEN_THROW);
    }

    /** From now on gives this answer for messages that match, until {@link #recover}. */
    public synchronized FlakyPublisher always(Predicate<OutboxMessage> which, PublishResult answer) {
        always.put(which, answer);
        return this;
    }

    /** Forgets all trouble that was told and has not happened; held answers stay held. */
    public synchronized void recover() {
        script.clear();
        always.clear();
    }

    /** Keeps answers back until {@link #releaseHeld}; the broker gets the messages all the same. */
    public synchronized void hold() {
        holding = true;
    }

    /** Gives the answers that were kept back, in order, and keeps back no more. */
    public void releaseHeld() {
        List<Runnable> answers;
        synchronized (this) {
            holding = false;
            answers = List.copyOf(held);
            held.clear();
        }
        answers.forEach(Runnable::run);
    }

    /** How many answers are kept back. */
    public synchronized int held() {
        return held.size();
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        for (ClaimedMessage message : wave) {
            publish(message, holder(answers));
        }
    }

    @Override
    public void close() {
        broker.close();
    }

    private synchronized FlakyPublisher next(int messages, Trouble trouble) {
        script.addAll(Collections.nCopies(messages, trouble));
        return this;
    }

    private void publish(ClaimedMessage message, PublishAnswers answers) {
        PublishResult fixed;
        Trouble trouble;
        synchronized (this) {
            fixed = always.entrySet().stream()
                    .filter(entry -> entry.getKey().test(message.message()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
            trouble = fixed == null ? script.poll() : null;
        }
        if (fixed != null) {
            answer(message, fixed, answers);
        } else if (trouble == null) {
            answer(message, PublishResult.acked(), answers);
        } else {
            cause(trouble, message, answers);
        }
    }

    private void cause(Trouble trouble, ClaimedMessage message, PublishAnswers answers) {
        switch (trouble) {
            case FAIL -> answer(message, PublishResult.failed("Told to fail"), answers);
            case REJECT -> answer(message, PublishResult.rejected("Told to reject"), answers);
            case UNAVAILABLE -> answer(message, PublishResult.unavailable("Told to be unavailable"), answers);
            case DROP_ANSWER -> broker.record(message);
            case ANSWER_TWICE -> {
                answer(message, PublishResult.acked(), answers);
                answers.answer(message, PublishResult.failed("Told to answer twice"));
            }
            case ACK_THEN_THROW -> {
                answer(message, PublishResult.acked(), answers);
                throw new IllegalStateException("Told to throw after an ack");
            }
        }
    }

    private void answer(ClaimedMessage message, PublishResult result, PublishAnswers answers) {
        if (result.kind() == PublishResult.Kind.ACKED) {
            broker.record(message);
        }
        answers.answer(message, result);
    }

    private PublishAnswers holder(PublishAnswers answers) {
        return (message, result) -> {
            synchronized (this) {
                if (holding) {
                    held.add(() -> answers.answer(message, result));
                    return;
                }
            }
            answers.answer(message, result);
        };
    }
}
