package dev.postrider.publish;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Failure;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What an exception of a handler means for its message. An Error is a failure of the message too, also when memory ran
 * out: the handler may be what used it up, and only a failure is counted, so that a message which always does so ends
 * as dead instead of holding up its topic for ever.
 */
record HandlerVerdict(Predicate<Exception> rejected, Predicate<Exception> unavailable, boolean exceptionMessages) {

    /**
     * Returns the answer.
     *
     * @param interrupted whether the handler was interrupted because the publisher closes: then nothing is to blame but
     *     that, whatever the handler made of it
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
     * Returns whether the thread must not hide the error: the state of the whole JVM is in doubt, and whether it should
     * go on is for the application's uncaught exception handler to say. An overflown stack is empty again by now.
     */
    static boolean isFatal(Throwable error) {
        return error instanceof VirtualMachineError && !(error instanceof StackOverflowError);
    }
}
