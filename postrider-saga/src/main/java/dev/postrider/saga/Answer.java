package dev.postrider.saga;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What a participant answers to a command of a saga. Immutable. */
public final class Answer {

    /** What became of a command. */
    public enum Outcome {
        /** It was carried out. */
        DONE,
        /** It was refused, and nothing was changed. */
        REFUSED,
        /** It was not carried out, because the command that undoes it came first. */
        SUPERSEDED,
        /** There was nothing to undo, because the command to be undone never did anything and never will. */
        NOTHING_TO_UNDO
    }

    private final Outcome outcome;
    private final String type;
    private final String contentType;
    private final byte[] payload;

    private Answer(Outcome outcome, String type, String contentType, byte[] payload) {
        this.outcome = outcome;
        this.type = Objects.requireNonNull(type, "type");
        this.contentType = Objects.requireNonNull(contentType, "contentType");
        this.payload = payload;
    }

    /** Says that the command was carried out, in a message of the logical type {@code type}. */
    public static Answer done(String type) {
        return of(Outcome.DONE, type);
    }

    /**
     * Says that an action was refused, in a message of the logical type {@code type}. The handler must not have changed
     * anything: what it wrote would be kept, and not undone.
     */
    public static Answer refused(String type) {
        return of(Outcome.REFUSED, type);
    }

    static Answer superseded() {
        return of(Outcome.SUPERSEDED, SagaHeaders.SUPERSEDED);
    }

    static Answer nothingToUndo() {
        return of(Outcome.NOTHING_TO_UNDO, SagaHeaders.NOTHING_TO_UNDO);
    }

    static Answer stored(Outcome outcome, String type, String contentType, byte[] payload) {
        return new Answer(outcome, type, contentType, payload.clone());
    }

    private static Answer of(Outcome outcome, String type) {
        return new Answer(outcome, type, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the answer with this JSON text. Default {@code {}}. */
    public Answer json(String text) {
        return new Answer(outcome, type, "application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the answer with this payload. */
    public Answer payload(byte[] value, String mediaType) {
        return new Answer(outcome, type, mediaType, value.clone());
    }

    /** What became of the command. */
    public Outcome outcome() {
        return outcome;
    }

    /** The logical type of the message. */
    public String type() {
        return type;
    }

    /** The media type of the payload. */
    public String contentType() {
        return contentType;
    }

    /** A copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** Names the answer without its payload, which may be confidential. */
    @Override
    public String toString() {
        return "Answer[%s %s, %d bytes]".formatted(outcome, type, payload.length);
    }
}
