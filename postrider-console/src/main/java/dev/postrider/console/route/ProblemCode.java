package dev.postrider.console.route;

import java.util.Locale;

/** What kind of problem an answer tells; programs decide by it. */
public enum ProblemCode {
    /** The request breaks a rule of its route. */
    BAD_REQUEST(400, "The request is not valid"),
    /** The filter cannot be read. */
    FILTER_BROKEN(400, "The filter cannot be read"),
    /** The caller has not signed in. */
    SIGNED_OUT(401, "Nobody is signed in"),
    /** The caller's role is too low. */
    NOT_PERMITTED(403, "The role does not permit this"),
    /** There is no such thing. */
    NOT_FOUND(404, "Not found"),
    /** The thing is not in the state that the action needs. */
    CONFLICT(409, "The state does not permit this"),
    /** Too much at once. */
    TOO_MANY(429, "Too many requests"),
    /** An error of this program. */
    INTERNAL(500, "An error in Postrider"),
    /** The database does not answer. */
    DATABASE_UNREACHABLE(503, "The database cannot be reached"),
    /** Tables are missing or do not fit. */
    SCHEMA_MISSING(503, "Tables are missing or do not fit"),
    /** The answer is not to be had now. */
    UNAVAILABLE(503, "Not available now");

    private final int status;
    private final String title;

    ProblemCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns what all problems of this kind have in common. */
    public String title() {
        return title;
    }

    /** Returns the word in the answer, such as {@code filter-broken}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
