package dev.postrider.publish;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Failure;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What an exception of a handler means for its message. An Error is a failure of the message too, also an
 * OutOfMemoryError: the message may be its cause. A failure is counted, so a message that always causes it ends as
 * dead. Unavailable would hold up its topic for ever.
 */
record HandlerVerdict(Predicate<Exception> rejected, Predicate<Exception> unavailable, boolean exceptionMessages) {

    /**
     * Returns the answer.
     *
     * @param interrupted whether the handler was interrupted because the publisher closes: then no attempt counts,
     *     whatever exception the handler throws
     */
    PublishResult of(Throwable error, boolean interrupted) {
        try {
            return judge(error, interrupted);
        } catch (RuntimeException e) {
            return PublishResult.failed("The handler threw %s and deciding what that means threw %s"
                    .formatted(ErrorText.type(error), ErrorText.type(e)));
        }
    }

    private PublishResult judge(Throwable error, boolean interrupted) {
        if (error instanceof Exception exception) {
            if (exception instanceof RejectedMessageException || rejected.test(exception)) {
                return blamed(PublishResult.Kind.REJECTED, error);
            }
            if (interrupted) {
                return PublishResult.unavailable(
                        ErrorText.clean("The publisher was closed while the handler ran: " + text(error)));
            }
            if (unavailable.test(exception)) {
                return PublishResult.unavailable(text(error));
            }
        }
        return blamed(PublishResult.Kind.FAILED, error);
    }

    private PublishResult blamed(PublishResult.Kind kind, Throwable error) {
        return new PublishResult(kind, text(error), Duration.ZERO, Failure.of(error));
    }

    private String text(Throwable error) {
        return exceptionMessages ? ErrorText.of(error) : ErrorText.type(error);
    }

    /**
     * Returns whether the thread must throw the error on: it leaves the whole JVM in doubt, and the application's
     * uncaught exception handler decides whether to go on. After a stack overflow the JVM is sound.
     */
    static boolean isFatal(Throwable error) {
        return error instanceof VirtualMachineError && !(error instanceof StackOverflowError);
    }
}
