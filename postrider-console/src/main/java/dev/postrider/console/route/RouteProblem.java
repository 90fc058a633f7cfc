package dev.postrider.console.route;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request that cannot be answered, told as a problem detail of RFC 9457. */
public final class RouteProblem extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ProblemCode code;
    private final String action;
    private final transient @Nullable Object details;

    /**
     * Tells a problem.
     *
     * @param detail what is wrong, without secrets
     * @param action what the caller can do about it
     */
    public RouteProblem(ProblemCode code, String detail, String action) {
        this(code, detail, action, null);
    }

    /** Tells a problem with more members, which are those of a record or a map. */
    public RouteProblem(ProblemCode code, String detail, String action, @Nullable Object details) {
        super(detail);
        this.code = Objects.requireNonNull(code, "code");
        this.action = Objects.requireNonNull(action, "action");
        this.details = details;
    }

    /** Returns a problem with a value that the caller sent. */
    public static RouteProblem badRequest(String detail) {
        return new RouteProblem(
                ProblemCode.BAD_REQUEST, detail, "Correct the request; /api/v1/openapi.json describes each route.");
    }

    /** Returns a problem with something that does not exist. */
    public static RouteProblem notFound(String detail, String action) {
        return new RouteProblem(ProblemCode.NOT_FOUND, detail, action);
    }

    /** Returns a problem with the state that something is in. */
    public static RouteProblem conflict(String detail, String action) {
        return new RouteProblem(ProblemCode.CONFLICT, detail, action);
    }

    /** Returns what kind of problem it is. */
    public ProblemCode code() {
        return code;
    }

    /** Returns what is wrong. */
    public String detail() {
        return Objects.requireNonNull(getMessage());
    }

    /** Returns what the caller can do about it. */
    public String action() {
        return action;
    }

    /** Returns more members of the answer; null if there are none. */
    public @Nullable Object details() {
        return details;
    }
}
