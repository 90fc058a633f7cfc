package dev.postrider.console.servlet;

import dev.postrider.console.ConsoleResponse;
import org.jspecify.annotations.Nullable;

/** A request that never reaches the API. */
final class RefusedRequestException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient ConsoleResponse answer;

    RefusedRequestException(ConsoleResponse answer) {
        this(answer, null);
    }

    RefusedRequestException(ConsoleResponse answer, @Nullable Throwable cause) {
        super(answer.body(), cause);
        this.answer = answer;
    }

    ConsoleResponse answer() {
        return answer;
    }
}
