package dev.postrider.saga;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects a request step: a command goes out through the outbox, the reply comes in through the inbox. */
public final class RequestStep<C> extends StepBuilder<C, RequestStep<C>> {

    private final Map<String, BiFunction<C, Reply, C>> replies = new LinkedHashMap<>();
    private final Set<String> failures = new LinkedHashSet<>();
    private @Nullable Function<C, Command> command;
    private @Nullable Function<C, Command> compensation;
    private Duration replyWithin = Duration.ofMinutes(15);
    private OnTimeout onTimeout = OnTimeout.RESEND;

    RequestStep(String name) {
        super(name);
    }

    /** Sets the command. Required. */
    public RequestStep<C> command(Function<C, Command> value) {
        this.command = Objects.requireNonNull(value, "command");
        return this;
    }

    /** Sets what a reply of the type {@code type} makes of the context. At least one is required. */
    public RequestStep<C> onReply(String type, BiFunction<C, Reply, C> value) {
        replies.put(Objects.requireNonNull(type, "type"), Objects.requireNonNull(value, "onReply"));
        return this;
    }

    /** Names the type of a reply that says no: the step has failed, the saga turns back. */
    public RequestStep<C> failOnReply(String type) {
        failures.add(Objects.requireNonNull(type, "failOnReply"));
        return this;
    }

    /** Sets how long to wait for a reply and what then. Default 15 minutes, {@link OnTimeout#RESEND}. */
    public RequestStep<C> replyWithin(Duration value, OnTimeout then) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    "replyWithin of step '%s' must be positive but was %s".formatted(name(), value));
        }
        this.replyWithin = value;
        this.onTimeout = Objects.requireNonNull(then, "onTimeout");
        return this;
    }

    /**
     * Sets the command that undoes it. Any reply to it confirms it; without a reply it is sent again after
     * {@code replyWithin}. It is also sent when the outcome of the step is not known.
     */
    public RequestStep<C> compensate(Function<C, Command> value) {
        this.compensation = Objects.requireNonNull(value, "compensate");
        return this;
    }

    @Override
    RequestStep<C> self() {
        return this;
    }

    @Override
    StepKind kind() {
        return StepKind.REQUEST;
    }

    @Override
    boolean isCompensatable() {
        return compensation != null;
    }

    @Override
    StepWork<C> work() {
        Function<C, Command> asked = required(command, "command");
        required(replies.isEmpty() ? null : replies, "onReply");
        replies.keySet().stream().filter(failures::contains).findFirst().ifPresent(type -> {
            throw new IllegalArgumentException(
                    "Step '%s' takes the reply '%s' for a yes and for a no".formatted(name(), type));
        });
        return new RequestWork<>(asked, replies, failures, replyWithin, onTimeout, compensation);
    }
}
